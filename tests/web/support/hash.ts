// 64-bit FNV-1a, from its published definition: the hash that the command prints of a gradient.

export function gradientHash(gradient: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of gradient) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
