// The version of the package, from its own description: a folder or two above this file, as source and as bundle.
import { readFileSync } from 'node:fs'

export function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string }).version
    } catch {
      // Not in this folder.
    }
  }
  return 'unknown'
}
