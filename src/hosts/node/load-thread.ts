// Reads a scenario that was sent in a thread of its own: parses it, generates its animals, checks and indexes it. A document of 64 MiB
// takes some seconds, and a server has other requests to answer. This file is both sides; the thread runs it again.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { ApiError, isUsageError } from '../../contract/errors.ts'
import { type LoadingPath, readSentBody, toSentScenario } from '../../control/sent-scenario.ts'
import { sharedResources } from '../../control/shared-resources.ts'
import { MAX_YAML_TEXT_MS } from '../../limits.ts'
import { parseScenario, toReadyScenario } from '../../scenario/check.ts'
import { readSentText } from '../../scenario/sent.ts'
import { createThreadedYamlReader, runThread } from '../../scenario/yaml-thread.ts'
import type { Scenario } from '../../world/situation.ts'
import { type PackedSituation, packSituation, unpackSituation } from './packed-situation.ts'

const ROLE = 'animal-store-mock: read a scenario'

interface Task {
  readonly role: typeof ROLE
  readonly path: LoadingPath
  readonly body: Uint8Array
}

type Outcome = { readonly situation: PackedSituation } | { readonly status: number; readonly message: string }

/** The scenario of a body, ready to be loaded; an ApiError says why it is refused. */
export async function loadInThread(path: LoadingPath, body: Uint8Array): Promise<Scenario> {
  const task: Task = { role: ROLE, path, body }
  const outcome = await runThread<Outcome>(new URL(import.meta.url), task, undefined, () => ({
    status: 507,
    message: 'scenario: takes too much memory to read',
  }))
  if (!('situation' in outcome)) throw new ApiError(outcome.status, outcome.message)
  return toReadyScenario(await unpackSituation(outcome.situation))
}

async function work({ path, body }: Task): Promise<Outcome> {
  try {
    const scenario = await toSentScenario(path, readSentBody(body), {
      ...sharedResources,
      read: (text, file) => readSentText(text, file, createThreadedYamlReader({ maxMs: MAX_YAML_TEXT_MS })),
    })
    return { situation: packSituation(parseScenario(scenario)) }
  } catch (error) {
    if (error instanceof ApiError || isUsageError(error)) return { status: error.status, message: error.message }
    throw error
  }
}

if (!isMainThread && (workerData as Partial<Task> | null)?.role === ROLE) {
  void work(workerData as Task).then((outcome) => parentPort?.postMessage(outcome))
}
