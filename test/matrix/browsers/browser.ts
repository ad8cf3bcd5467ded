// What the engines have in common, each with a driver of its own: a page that is opened and a script that runs in it.
export interface Browser {
  open(url: string): Promise<void>
  /** The value of an asynchronous function's source, called in the page. */
  run(source: string): Promise<unknown>
  close(): Promise<void>
}
