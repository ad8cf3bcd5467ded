// Reads a scenario in a thread of its own, one that was sent or one of a file: parses it, generates its animals, checks and indexes it. A
// document of 64 MiB takes some seconds, and a server has other requests to answer. This file is both sides; the thread runs it again.
import { createHash } from 'node:crypto'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { ApiError, isUsageError, UsageError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import { type LoadingPath, readSentBody, readSentFile, type ScenarioResources, toSentScenario } from '../../control/sent-scenario.ts'
import { sharedResources } from '../../control/shared-resources.ts'
import { MAX_YAML_TEXT_MS } from '../../limits.ts'
import { type MockOptions, toScenario } from '../../mock/mock-options.ts'
import { parseScenario, toReadyScenario } from '../../scenario/check.ts'
import { readScenarioFile } from '../../scenario/files.ts'
import { readSentText } from '../../scenario/sent.ts'
import { createThreadedYamlReader, runThread } from '../../scenario/yaml-thread.ts'
import type { Scenario } from '../../world/situation.ts'
import { type PackedSituation, packSituation, unpackSituation } from './packed-situation.ts'

const ROLE = 'animal-store-mock: read a scenario'
const TOO_LARGE = 'scenario: takes too much memory to read'

/** What the thread is to do: load what was sent, print what was sent, or load a file. */
type Task =
  | { readonly role: typeof ROLE; readonly what: 'load'; readonly path: LoadingPath; readonly body: Uint8Array }
  | { readonly role: typeof ROLE; readonly what: 'print'; readonly body: Uint8Array }
  | { readonly role: typeof ROLE; readonly what: 'file'; readonly file: string; readonly options: MockOptions }

type Loaded = { readonly situation: PackedSituation }
type Printed = { readonly text: string }
type Refused = { readonly status: number; readonly problems: readonly string[] }

/** What a scenario file was found to be. */
export interface FileReading {
  /** Ready to be loaded, or what is wrong with it. */
  readonly scenario: Scenario | UsageError
  /** Differs for another scenario, and for other problems. */
  readonly mark: string
  /** Every path that was looked for. */
  readonly paths: readonly string[]
  /** Of every file that was read: differs for another text. */
  readonly texts: Readonly<Record<string, string>>
}

type FileOutcome = (Loaded | Refused) & Omit<FileReading, 'scenario'>

/** The scenario of a body, ready to be loaded; an ApiError says why it is refused. */
export async function loadInThread(path: LoadingPath, body: Uint8Array): Promise<Scenario> {
  const outcome = await run<Loaded | Refused>({ role: ROLE, what: 'load', path, body }, toTooLarge)
  if ('problems' in outcome) throw toApiError(outcome)
  return toReadyScenario(await unpackSituation(outcome.situation))
}

/** The scenario in the text of a file that was sent, as JSON; an ApiError says why it is refused. */
export async function readInThread(body: Uint8Array): Promise<string> {
  const outcome = await run<Printed | Refused>({ role: ROLE, what: 'print', body }, toTooLarge)
  if ('problems' in outcome) throw toApiError(outcome)
  return outcome.text
}

/** The scenario of a file with the options that override it. */
export async function loadFileInThread(file: string, options: MockOptions): Promise<FileReading> {
  const { scenario: _, ...rest } = options
  const outcome = await run<FileOutcome>({ role: ROLE, what: 'file', file, options: rest }, () => ({
    ...toTooLarge(),
    mark: TOO_LARGE,
    paths: [file],
    texts: {},
  }))
  const { mark, paths, texts } = outcome
  const scenario = 'problems' in outcome ? new UsageError(outcome.problems) : toReadyScenario(await unpackSituation(outcome.situation))
  return { scenario, mark, paths, texts }
}

/** The same, here and now. */
export async function loadFile(file: string, options: MockOptions): Promise<FileReading> {
  const paths: string[] = []
  const texts: Record<string, string> = {}
  try {
    const scenario = await readScenarioFile(file, {
      onFile: (path) => paths.push(path),
      onText(label, text) {
        texts[label] = toHash(text)
      },
    })
    return { scenario: toReadyScenario(parseScenario(toScenario({ ...options, scenario }))), mark: toMark(scenario), paths, texts }
  } catch (error) {
    if (!isUsageError(error)) throw error
    return { scenario: error, mark: error.message, paths, texts }
  }
}

/** A short text that tells a scenario from others. */
export function toMark(scenario: Scenario | undefined): string {
  return toHash(toJson(scenario))
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function run<Result>(task: Task, toFallback: () => Result): Promise<Result> {
  return runThread<Result>(new URL(import.meta.url), task, undefined, toFallback)
}

function toTooLarge(): Refused {
  return { status: 507, problems: [TOO_LARGE] }
}

function toApiError({ status, problems }: Refused): ApiError {
  return new ApiError(status, problems.join('\n'))
}

const resources: ScenarioResources = {
  ...sharedResources,
  read: (text, file) => readSentText(text, file, createThreadedYamlReader({ maxMs: MAX_YAML_TEXT_MS })),
}

async function work(task: Task): Promise<Loaded | Printed | Refused | FileOutcome> {
  if (task.what === 'file') return workOnFile(task.file, task.options)
  try {
    const body = readSentBody(task.body)
    if (task.what === 'print') return { text: toJson(await readSentFile(body, resources)) }
    return { situation: packSituation(parseScenario(await toSentScenario(task.path, body, resources))) }
  } catch (error) {
    return toRefused(error)
  }
}

async function workOnFile(file: string, options: MockOptions): Promise<FileOutcome> {
  const { scenario, ...rest } = await loadFile(file, options)
  return { ...(isUsageError(scenario) ? toRefused(scenario) : { situation: packSituation(parseScenario(scenario)) }), ...rest }
}

function toRefused(error: unknown): Refused {
  if (isUsageError(error)) return { status: error.status, problems: error.problems }
  if (error instanceof ApiError) return { status: error.status, problems: [error.message] }
  throw error
}

if (!isMainThread && (workerData as Partial<Task> | null)?.role === ROLE) {
  void work(workerData as Task).then((outcome) => parentPort?.postMessage(outcome))
}
