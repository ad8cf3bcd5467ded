// Scenario files, for Node: finds, reads and resolves them into scenarios. What a document may say is decided in generate/.
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import { list, type Violation } from '../contract/schema.ts'
import type { Scenario } from '../world/scenario.ts'
import { findWholeProblems, layOver, type ScenarioDocument } from './document.ts'
import { type ParsedDocument, parseDocument } from './parse.ts'

type Shipped = Readonly<Record<string, Scenario>>

/** A file on the way from the one that was asked for to the last that it extends. */
interface Place {
  /** The path without links. */
  readonly path: string
  /** The path as the tester would write it. */
  readonly label: string
  /** The files that led here. */
  readonly trail: readonly string[]
}

const SIZE_LIMIT = 5 * 2 ** 20
const FILE_LIKE = /[\\/]|\.(?:ya?ml|json)$/i

/** Whether this means a file rather than a shipped scenario: it has a slash, or ends in .yaml, .yml or .json. */
export function isScenarioFile(nameOrFile: string): boolean {
  return FILE_LIKE.test(nameOrFile)
}

/** The scenario of that name or in that file. */
export async function loadScenario(nameOrFile: string): Promise<Scenario> {
  if (isScenarioFile(nameOrFile)) return readScenarioFile(nameOrFile)
  const shipped = await importShipped()
  const scenario = findShipped(shipped, nameOrFile)
  if (!scenario)
    throw new UsageError(`scenario: expected ${list(Object.keys(shipped), 'or')}, or a file, got ${JSON.stringify(nameOrFile)}`)
  return scenario
}

/** The scenario that a file stands for, with all that it extends; a UsageError names every problem with its file and line. */
export async function readScenarioFile(file: string, shipped: () => Promise<Shipped> = importShipped): Promise<Scenario> {
  const path = await realpath(file).catch((error) => refuse(error, file))
  return readScenario({ path, label: file, trail: [] }, shipped)
}

/** The scenario in the text of a file that is not here: of other scenarios it can extend the shipped ones only. */
export async function readScenarioText(text: string, file: string): Promise<Scenario> {
  const parsed = await parseDocument(text, file)
  return toScenario(parsed, await readParent(parsed, undefined, importShipped), file)
}

async function importShipped(): Promise<Shipped> {
  const { scenarios } = await import('../scenarios.ts')
  return scenarios
}

function findShipped(shipped: Shipped, name: string): Scenario | undefined {
  return Object.hasOwn(shipped, name) ? shipped[name] : undefined
}

async function readScenario(place: Place, shipped: () => Promise<Shipped>): Promise<Scenario> {
  const { path, label } = place
  const parsed = await parseDocument(await readText(path, label), label)
  return toScenario(parsed, await readParent(parsed, place, shipped), path)
}

/** The document with its parent worked in; it goes by the name of its file unless it says another. */
async function toScenario({ document, report }: ParsedDocument, parent: Scenario | undefined, file: string): Promise<Scenario> {
  const problems = findWholeProblems(document, parent)
  if (problems.length > 0) throw new UsageError(await report(problems))
  return { name: basename(file, extname(file)), ...(await expand(document, parent)) }
}

/** Faker is loaded only for a document that asks for animals. */
async function expand(document: ScenarioDocument, parent: Scenario | undefined): Promise<Scenario> {
  if (!document.generate) return layOver(document, parent)
  const { expandScenario } = await import('../generate/index.ts')
  return expandScenario(document, parent)
}

async function readParent(
  { document, report }: ParsedDocument,
  place: Place | undefined,
  shipped: () => Promise<Shipped>,
): Promise<Scenario | undefined> {
  const wanted = document.extends
  if (wanted === undefined) return undefined
  if (isScenarioFile(wanted)) {
    const found = place ? await findBeside(wanted, place) : toProblem('a shipped scenario, by its name', wanted)
    if (!('label' in found)) throw new UsageError(await report([found]))
    return readScenario(found, shipped)
  }
  const scenarios = await shipped()
  const scenario = findShipped(scenarios, wanted)
  if (scenario) return scenario
  throw new UsageError(await report([toProblem(`${list(Object.keys(scenarios), 'or')}, or a file`, wanted)]))
}

/** The file that another one extends; it must be in the other's folder or below, links and all. */
async function findBeside(wanted: string, { path, label, trail }: Place): Promise<Place | Violation> {
  const folder = dirname(path)
  const target = resolve(folder, wanted)
  const outside = toProblem('a file in the same folder or below', wanted)
  if (isAbsolute(wanted) || !isInside(folder, target)) return outside
  const found = await realpath(target).catch(() => undefined)
  if (found === undefined) return toProblem('a file that exists', wanted)
  if (!isInside(folder, found)) return outside
  if (found === path || trail.includes(found)) return toProblem('a scenario that does not lead back to this one', wanted)
  return { path: found, label: join(dirname(label), wanted), trail: [...trail, path] }
}

function toProblem(expected: string, wanted: string): Violation {
  return { path: 'extends', expected, got: JSON.stringify(wanted) }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

async function readText(path: string, label: string): Promise<string> {
  // Looked at before it is opened: opening a pipe would wait for its other end.
  const status = await stat(path).catch((error) => refuse(error, label))
  if (!status.isFile()) throw new UsageError(`${label}: expected a regular file`)
  if (status.size > SIZE_LIMIT) throw new UsageError(`${label}: expected at most ${SIZE_LIMIT} bytes, got ${status.size}`)
  const bytes = await readFile(path).catch((error) => refuse(error, label))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${label}: expected UTF-8`)
  }
}

/** A file that cannot be read is the tester's affair, not a bug. */
function refuse(error: NodeJS.ErrnoException, label: string): never {
  throw new UsageError(error.code === 'ENOENT' ? `${label}: there is no such file` : `${label}: cannot be read (${error.code})`)
}
