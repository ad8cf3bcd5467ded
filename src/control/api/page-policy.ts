// What the pages of the mock may do: run their own script and style, and talk to the mock alone.

const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** For a page, which cannot say who may frame it. */
export const PAGE_POLICY = DIRECTIVES.join('; ')
export const HEADER_POLICY = [...DIRECTIVES, "frame-ancestors 'none'"].join('; ')
