// The package as it is built, since that is what people run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './contestants.ts'

export const builtFile = (name: string): string => join(root, 'dist', name)

/** A door of the built package, under the types of its source. */
export async function importBuilt<Door>(name: string): Promise<Door> {
  return (await import(pathToFileURL(builtFile(name)).href)) as Door
}

export function checkBuilt(): void {
  if (!existsSync(builtFile('index.js'))) throw new Error('there is no dist/: run npm run build first')
}
