// The one place that says what our pages may do: sent as a header by serve.mjs and set into every
// built page as a meta tag, so that it also holds on a web server that knows nothing of it.

/** Of the one style sheet of all worksheets; tests/web/print.test.ts compares them. */
const worksheetStyle = "'sha256-YPBqCVau8y3dnRsMjQwhMa4w6AUSLsoAjW52Y6S9mmI='";

const directives = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  // A printed window is a blob, which inherits the policy and holds its style sheet.
  `style-src 'self' ${worksheetStyle}`,
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  // Lit does not start without its policy, lit-html; ours is in web/trust/script-url.ts.
  "trusted-types lit-html lockstep",
];

/** The content security policy of every page. */
export const contentSecurityPolicy = directives.join("; ");

/**
 * The headers that go with every file.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const securityHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};
