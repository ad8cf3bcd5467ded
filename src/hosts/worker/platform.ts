// The part of the platform that the worker host uses: Durable Objects and their storage.
type Value = string | number | null

/** The storage of one object. Writes in one turn of the event loop are atomic, and on disk before a response leaves. */
export interface Sql {
  exec(query: string, ...values: readonly Value[]): Iterable<Readonly<Record<string, Value>>>
}

export interface ObjectState {
  readonly storage: {
    readonly sql: Sql
    deleteAll(): Promise<void>
  }
  /** Delays every other request to the object until the promise has settled. */
  blockConcurrencyWhile<T>(run: () => Promise<T>): Promise<T>
  /** Ends the object; the next request starts it again from its storage. */
  abort(reason: string): void
}

/** The methods of an object. Only `fetch` can be reached from outside. */
export interface SandboxObject {
  fetch(request: Request): Promise<Response>
  /** Of the shared object: the scenario that new sandboxes start from, as JSON. */
  base(): Promise<string>
  /** Of the shared object: puts a sandbox on the list. */
  enlist(key: string): Promise<void>
  erase(): Promise<void>
}

export interface Namespace {
  idFromName(name: string): unknown
  get(id: unknown): SandboxObject
}
