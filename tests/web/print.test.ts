import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { startEngine } from "../../web/engine/load";
import { contentSecurityPolicy } from "../../web/tool/policy.mjs";
import { compiledEngine } from "./support/engine";

it("has the hash of the worksheets' style sheet in the policy, and that of no other", async () => {
  const engine = await startEngine(await compiledEngine());
  const digest = createHash("sha256").update(engine.worksheetStylesheet()).digest("base64");
  const allowed = [...contentSecurityPolicy.matchAll(/'(sha256-[^']+)'/g)].map(([, hash]) => hash);
  expect(allowed).toEqual([`sha256-${digest}`]);
});
