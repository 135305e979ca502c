// Byte arrays that a message must never be: noise, and a header that is nearly right.

/** Reproducible noise (the mulberry32 generator). */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Empty, short, long and plausible messages; none has the right checksum. */
export function hostileBytes(seed: number): Uint8Array[] {
  const next = noise(seed);
  const random = (size: number) => Uint8Array.from({ length: size }, () => next() & 255);
  const nearly = random(60 + 8 * (next() % 50));
  // The letters and the version of engine/device/message.h.
  nearly.set([0x4c, 0x4b, 0x53, 0x54, 1, 0, 0, 0]);
  return [new Uint8Array(), random(next() % 60), random(60 + (next() % 500)), nearly];
}
