// Writes the player into a folder, for a web site, from the built package:
// `npx tsx build/write-player.ts site/public/play`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlayerFile } from '../src/hosts/node/player-files.ts'

/** What a module of the package imports, at once or later. */
const IMPORT = /(?:from|import)\s*\(?["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder for the player')
const names = new Set(['', 'engine.js', 'console.js', 'console.css', 'play.js'])
let count = 0
for (const name of names) {
  const file = await readPlayerFile(name)
  // What only Node imports.
  if (!file) continue
  const path = join(folder, name === '' ? 'index.html' : name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, file.body)
  count++
  for (const [, imported = ''] of file.body.matchAll(IMPORT))
    names.add(join(dirname(name), imported))
}
if (count < 6) throw new Error('Build the package first: npm run build')
console.log(`Wrote ${count} files to ${folder}`)
