import { expect, it } from "vitest";
import { formatBytes, formatMilliseconds, formatScientific } from "../../web/view/format";

const plain = (text: string) => text.replaceAll("\u202f", " ");

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [20784, "20.8 kB"],
  [123456, "123 kB"],
  [5e6, "5.0 MB"],
  [2e12, "2000 GB"],
])("%d bytes read as %s", (size, text) => expect(plain(formatBytes(size))).toBe(text));

it.each([
  [0, "0"],
  [2.7755575615628914e-17, "2.78 × 10⁻¹⁷"],
  [-1234, "−1.23 × 10³"],
  [1e-100, "1.00 × 10⁻¹⁰⁰"],
])("%d reads as %s", (value, text) => expect(plain(formatScientific(value))).toBe(text));

it("times have one decimal, as browsers tell no more", () => {
  expect(plain(formatMilliseconds(12.345))).toBe("12.3 ms");
});
