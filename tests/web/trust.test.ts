import { describe, expect, it } from "vitest";
import { ownScriptAddress } from "../../web/trust/script-url";

const page = "https://course.test:8443/lockstep/index.html";

describe("the address of a script", () => {
  it.each([
    ["./assets/worker.js", "https://course.test:8443/lockstep/assets/worker.js"],
    ["/assets/worker.js", "https://course.test:8443/assets/worker.js"],
    ["https://course.test:8443/a.js", "https://course.test:8443/a.js"],
    ["blob:https://course.test:8443/6b1c", "blob:https://course.test:8443/6b1c"],
  ])("%s is ours", (address, whole) => {
    expect(ownScriptAddress(address, page)).toBe(whole);
  });

  it.each([
    "https://evil.test/worker.js",
    "//evil.test/worker.js",
    "\\\\evil.test\\worker.js",
    "https://course.test/worker.js",
    "http://course.test:8443/worker.js",
    "https://course.test:8443@evil.test/worker.js",
    "blob:https://evil.test/6b1c",
    "blob:null/6b1c",
    "data:text/javascript,postMessage(1)",
    "javascript:alert(1)",
    " java\nscript:alert(1)",
    "file:///etc/passwd",
    "filesystem:https://course.test:8443/temporary/worker.js",
    "about:blank",
  ])("%s is not, and is refused", (address) => {
    expect(() => ownScriptAddress(address, page)).toThrow(TypeError);
  });
});
