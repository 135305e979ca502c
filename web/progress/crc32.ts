// The CRC-32 of ISO-HDLC (zip, PNG), over texts of one byte a letter.

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum of `text` (letters up to U+00FF), continued from that of what stands before it. */
export function crc32(text: string, before = 0): number {
  let value = ~before;
  for (let index = 0; index < text.length; ++index) {
    value = (table[(value ^ text.charCodeAt(index)) & 0xff] as number) ^ (value >>> 8);
  }
  return ~value >>> 0;
}
