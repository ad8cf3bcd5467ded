// The findings of `calibrate` that are known: by flags, and in a file that is committed.
import { existsSync } from 'node:fs'
import { UsageError } from '../../contract/errors.ts'
import { readText } from '../../hosts/node/scenario-files.ts'

export const ACCEPT_FILE = 'calibrate.accept.yaml'

const LINE = /^- *(["']?)(?<id>[^"'#]+?)\1 *(?:#.*)?$/

/** Of the flag and of the file in the current folder, if there is one. */
export async function readAccepted(ids: readonly string[] = []): Promise<readonly string[]> {
  const text = existsSync(ACCEPT_FILE) ? await readText(ACCEPT_FILE) : ''
  return [...ids, ...parseAccepted(text)]
}

/** A list in YAML, an id a line. */
function parseAccepted(text: string): string[] {
  const ids: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isEmpty = line.trim() === '' || line.startsWith('#')
    const id = LINE.exec(line)?.groups?.id
    if (id !== undefined) ids.push(id)
    else if (!isEmpty) {
      const place = `${ACCEPT_FILE}:${index + 1}`
      throw new UsageError(`${place} expected the id of a finding, as in "- choice/list-order"`)
    }
  }
  return ids
}
