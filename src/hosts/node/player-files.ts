// The files of the player: its page, those of the console, and the modules of the package that a
// browser loads one by one.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReadPlayerFile } from '../../control/api/console-route.ts'

const SCRIPT = 'text/javascript; charset=utf-8'
/** The modules of `dist` that an import can name; the others are for Node. */
const MODULE = /^(?:chunks\/)?[\w-]+\.js$/

/** Undefined for what is not a file of the player, or if the package is not there to be read. */
export const readPlayerFile: ReadPlayerFile = async (name) => {
  const { files, playerPage } = await import('../generated/console.ts')
  if (name === '') return playerPage
  if (name === 'console.js' || name === 'console.css') return files[`/${name}`]
  if (!MODULE.test(name)) return undefined
  const body = await readModule(name).catch(() => undefined)
  return body === undefined ? undefined : { type: SCRIPT, body }
}

/** A server that is bundled with an app has no package beside it. */
async function readModule(name: string): Promise<string> {
  // Where it is imported, the bundler leaves its import in a chunk that pages load, too.
  const { createRequire } = process.getBuiltinModule('node:module')
  const root = dirname(createRequire(import.meta.url).resolve('animal-store-mock/package.json'))
  return readFile(join(root, 'dist', name), 'utf8')
}
