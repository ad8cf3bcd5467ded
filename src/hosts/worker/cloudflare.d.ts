// The part of the platform's own module that the worker host uses, so that this package does not
// depend on its types.
declare module 'cloudflare:workers' {
  export class DurableObject {
    constructor(state: unknown, env: unknown)
    readonly ctx: unknown
  }
  /** The bindings, even while modules are loading. */
  export const env: Readonly<Record<string, unknown>>
}
