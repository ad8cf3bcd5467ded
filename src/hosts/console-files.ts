// The built console. It is loaded when a browser first asks for it, so that a mock's start does not
// pay for it.
import type { ReadConsoleFile } from '../control/api/api.ts'

export const readConsoleFile: ReadConsoleFile = async (path) =>
  (await import('./generated/console.ts')).files[path]
