// Finds and reads scenario files and recordings, for Node.
import { readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { openScenario, resolveDocument } from '../../scenario/open.ts'
import { readDocument } from '../../scenario/read.ts'
import type { Recording } from '../../scenario/recording/read.ts'
import { isRecordingFile } from '../../world/row.ts'
import type { ReadScenario } from '../../world/scenario.ts'

/**
 * Called with every path that is looked for, links and what they lead to, whether it exists or not.
 */
type OnFile = ((path: string) => void) | undefined
type FilePlace = Readonly<{ path: string; label: string; trail: readonly string[] }>

/**
 * The door for scenarios, in Node: it also finds files, and those that a document extends from the
 * current folder.
 */
export function findScenario(
  given: unknown,
  onFile?: OnFile,
): ReadScenario | Promise<ReadScenario> {
  return openScenario(given, { readFile: (file) => readScenarioFile(file, onFile) })
}

/** The scenario in a file, or the state before a row of a recording, as in `run.jsonl#12`. */
export async function readScenarioFile(file: string, onFile?: OnFile): Promise<ReadScenario> {
  const [recording = file, row] = file.split(/#(\d+)$/)
  onFile?.(resolve(recording))
  if (row !== undefined || isRecordingFile(file)) {
    const read = await readRecordingFile(recording)
    if (row === undefined)
      throw new UsageError(`${file}: name a row of the recording, as in ${file}#12`)
    return (await import('../../scenario/recording/read.ts')).readStateBefore(read, Number(row))
  }
  const path = await realpath(file).catch((error) => throwUnreadable(error, file))
  return readPlace({ path, label: file, trail: [path] }, onFile)
}

export async function readRecordingFile(file: string): Promise<Recording> {
  const { readRecording } = await import('../../scenario/recording/read.ts')
  return readRecording(await readText(file), file)
}

async function readPlace(place: FilePlace, onFile: OnFile): Promise<ReadScenario> {
  const { path, label } = place
  onFile?.(path)
  const text = await readText(path, label)
  const { value, ...read } = await readDocument(text, label)
  return resolveDocument(value, {
    ...read,
    async readFile(wanted) {
      const found = await findExtended(wanted, place, onFile)
      return typeof found === 'string' ? found : readPlace(found, onFile)
    },
  })
}

/**
 * The file that another one extends, or what was expected: it must be in the same folder or below,
 * links and all.
 */
async function findExtended(wanted: string, place: FilePlace, onFile: OnFile) {
  const { path, label, trail } = place
  const folder = dirname(path)
  const target = resolve(folder, wanted)
  const inside = 'a file in the same folder or below'
  if (isAbsolute(wanted) || !isInside(folder, target)) return inside
  onFile?.(target)
  const found = await realpath(target).catch(() => undefined)
  if (found === undefined) return 'a file that exists'
  if (!isInside(folder, found)) return inside
  if (trail.includes(found)) return 'a scenario that does not lead back to this one'
  return { path: found, label: join(dirname(label), wanted), trail: [...trail, found] }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

export async function readText(path: string, label = path): Promise<string> {
  const bytes = await readFile(path).catch((error) => throwUnreadable(error, label))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${label}: expected UTF-8`)
  }
}

function throwUnreadable(error: NodeJS.ErrnoException, label: string): never {
  const reason = error.code === 'ENOENT' ? 'no such file' : `cannot be read (${error.code})`
  throw new UsageError(`${label}: ${reason}`)
}
