// The part of the platform's own module that the worker host uses; its types are no dependency of this package.

declare module 'cloudflare:workers' {
  export class DurableObject {
    constructor(state: unknown, env: unknown)
  }
  /** The bindings, also while the modules are loaded. */
  export const env: Readonly<Record<string, unknown>> | undefined
}
