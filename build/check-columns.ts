// Lists the lines of our sources that are longer than the formatter's width. It breaks code, but
// neither comments nor texts.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MAX_COLUMNS = 100
const FOLDERS = ['src', 'build']

/** Made by the build, or a test, whose data may be long. */
const isSkipped = (file: string): boolean => /(?:^|\/)generated\/|\.test\.tsx?$/.test(file)

const long: string[] = []
for (const folder of FOLDERS) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || isSkipped(name)) continue
    const file = join(folder, name)
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      const columns = [...line].length
      if (columns > MAX_COLUMNS) long.push(`${file}:${index + 1} has ${columns} columns`)
    }
  }
}
for (const line of long) console.error(line)
if (long.length > 0) console.error(`Break these lines; ${MAX_COLUMNS} columns is the limit.`)
process.exitCode = long.length > 0 ? 1 : 0
