// Finds and reads scenario files and recordings, for Node.
import { readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { openScenario, resolveDocument } from '../../scenario/open.ts'
import { createRowlessError, readDocument } from '../../scenario/read.ts'
import type { Recording } from '../../scenario/recording/read.ts'
import { isRecordingFile } from '../../world/row.ts'
import type { ReadScenario } from '../../world/scenario.ts'

/**
 * Called with every path that is looked for, links and what they lead to, whether it exists or not.
 */
type OnFile = ((path: string) => void) | undefined
/** `row` is that of a recording. */
type FilePlace = Readonly<{
  path: string
  label: string
  row: number | undefined
  trail: readonly string[]
}>

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
export async function readScenarioFile(name: string, onFile?: OnFile): Promise<ReadScenario> {
  const { file, row } = splitRow(name)
  onFile?.(resolve(file))
  const path = await realpath(file).catch((error) => throwUnreadable(error, file))
  return readPlace({ path, label: file, row, trail: [path] }, onFile)
}

function splitRow(name: string) {
  const mark = /#(\d+)$/.exec(name)
  if (!mark) return { file: name, row: undefined }
  const file = name.slice(0, mark.index)
  return { file, row: Number(mark[1]) }
}

export async function readRecordingFile(file: string): Promise<Recording> {
  const { readRecording } = await import('../../scenario/recording/read.ts')
  return readRecording(await readText(file), file)
}

async function readPlace(place: FilePlace, onFile: OnFile): Promise<ReadScenario> {
  const { path, label, row } = place
  onFile?.(path)
  const text = await readText(path, label)
  if (row !== undefined || isRecordingFile(path)) return readRecorded(text, label, row)
  const { value, ...read } = await readDocument(text, label)
  return resolveDocument(value, {
    ...read,
    async readFile(wanted) {
      const found = await findExtended(wanted, place, onFile)
      return typeof found === 'string' ? found : readPlace(found, onFile)
    },
  })
}

async function readRecorded(text: string, label: string, row: number | undefined) {
  const { readHead, readRecording, readStateBefore } = await import(
    '../../scenario/recording/read.ts'
  )
  if (row !== undefined) return readStateBefore(readRecording(text, label), row)
  readHead(text, label)
  throw createRowlessError(label)
}

/**
 * The file that another one extends, or what was expected: it must be in the same folder or below,
 * links and all.
 */
async function findExtended(wanted: string, place: FilePlace, onFile: OnFile) {
  const { path, label, trail } = place
  const folder = dirname(path)
  const { file, row } = splitRow(wanted)
  const target = resolve(folder, file)
  const inside = 'a file in the same folder or below'
  if (isAbsolute(file) || !isInside(folder, target)) return inside
  onFile?.(target)
  const found = await realpath(target).catch(() => undefined)
  if (found === undefined) return 'a file that exists'
  if (!isInside(folder, found)) return inside
  if (trail.includes(found)) return 'a scenario that does not lead back to this one'
  return { path: found, label: join(dirname(label), file), row, trail: [...trail, found] }
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

const UNREADABLE: Partial<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'expected a file, got a folder',
}

function throwUnreadable(error: NodeJS.ErrnoException, label: string): never {
  const reason = UNREADABLE[error.code ?? ''] ?? `cannot be read (${error.code})`
  throw new UsageError(`${label}: ${reason}`)
}
