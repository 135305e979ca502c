// The one Trusted Types policy of ours. It vouches for addresses of scripts and for nothing else:
// the pages never turn text into markup or code.

/** As much of the browser's Trusted Types as is used here; missing in older browsers. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL: (address: string) => unknown };
}

/** The address itself, if it is ours: of this origin, or a blob that a page of ours made. */
export function ownScriptAddress(address: string, base: string): string {
  const url = new URL(address, base);
  const own = new URL(base).origin;
  const isOwn = url.origin === own && ["http:", "https:", "blob:"].includes(url.protocol);
  if (!isOwn) throw new TypeError(`${url.href} is not a script of this site`);
  return url.href;
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/**
 * An address that a worker may be started from, under a policy that requires Trusted Types.
 * Throws a TypeError for the address of another origin.
 */
export function trustedScriptUrl(address: string): string {
  const rules = { createScriptURL: (text: string) => ownScriptAddress(text, location.href) };
  const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??= trustedTypes?.createPolicy("lockstep", rules) ?? rules;
  // To the browser it is a TrustedScriptURL, which takes the place of a text.
  return policy.createScriptURL(address) as string;
}
