// What the worker host takes of the platform, as far as it takes it: Durable Objects and their storage.

/** A value of a column. */
type Value = string | number | null

/** The storage of one object. What is written in one turn of the event loop is written whole or not at all. */
export interface Sql {
  exec(query: string, ...values: readonly Value[]): Iterable<Readonly<Record<string, Value>>>
}

/** What an object gets of the platform. */
export interface ObjectState {
  readonly storage: {
    readonly sql: Sql
    /** Deletes everything, tables included. */
    deleteAll(): Promise<void>
    /** Settles when everything that was written so far is on the disk. */
    sync(): Promise<void>
  }
  /** Holds every other request to the object back until the promise has settled. */
  blockConcurrencyWhile<T>(run: () => Promise<T>): Promise<T>
  /** Gives the object up; the next request starts it again from its storage. */
  abort(reason: string): void
}

/** What a world can be asked by other objects and by the router. Methods but `fetch` cannot be reached from outside. */
export interface WorldObject {
  fetch(request: Request): Promise<Response>
  /** Of the shared object: the scenario that new sandboxes start from, as JSON. */
  base(): Promise<string>
  /** Of the shared object: puts a sandbox on the list. */
  enlist(key: string): Promise<void>
  /** Of the shared object: how many sandboxes there are. */
  count(): Promise<number>
  /** Of the shared object: answers a request whose key opens no sandbox. */
  turnAway(request: Request): Promise<Response>
  /** Forgets everything. */
  erase(): Promise<void>
}

/** The binding to all objects. */
export interface Namespace {
  idFromName(name: string): unknown
  get(id: unknown): WorldObject
}
