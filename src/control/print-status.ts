// A status of the log as people read it.

export function printStatus(status: number): string {
  return status === 0 ? 'no response' : String(status)
}
