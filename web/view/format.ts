// Numbers as a reader expects them: real minus, thin spaces, units kept on the line.

const thinSpace = "\u202f";
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Bytes in the decimal units of networks: "640 B", "13.6 kB". */
export function formatBytes(size_bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = size_bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)}${thinSpace}${units[unit]}`;
}

/** A measured time: browsers tell at best a tenth of a millisecond. */
export function formatMilliseconds(time_ms: number): string {
  return `${time_ms.toFixed(1)}${thinSpace}ms`;
}

/** A very small or large number with two decimals: "2.78 × 10⁻¹⁷"; zero is "0". */
export function formatScientific(value: number): string {
  if (value === 0) return "0";
  const [digits = "", exponent = ""] = value.toExponential(2).split("e");
  const raised = [...exponent.replace("+", "")]
    .map((sign) => (sign === "-" ? "⁻" : superscripts[Number(sign)]))
    .join("");
  return `${digits.replace("-", "−")}${thinSpace}×${thinSpace}10${raised}`;
}

/** A number with at most `decimals` digits after the point, without zeros at its end. */
export function formatDecimal(value: number, decimals: number): string {
  const text = value.toFixed(decimals).replace("-", "−");
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A day as people say it: "1 December 2026". */
export function formatDay(ms: number): string {
  const day = new Date(ms);
  const month = new Intl.DateTimeFormat("en", { month: "long" }).format(day);
  return `${day.getDate()} ${month} ${day.getFullYear()}`;
}
