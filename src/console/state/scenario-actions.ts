// What a person can do with whole worlds: load, reset, look at scenarios, edit them as text.
import { type ControlClient, ControlError } from '../../client/client.ts'
import type { StateDiff, StateSummary } from '../../control/control.ts'
import { extras } from '../../control/methods.ts'
import type { ScenarioName } from '../../generated/scenarios.ts'
import { MAX_DOCUMENT_BYTES, MAX_YAML_TEXT_BYTES } from '../../limits.ts'
import type { Scenario } from '../../world/situation.ts'
import { toFileName } from '../parts/save-file.ts'
import type { Store } from './console-state.ts'
import type { ShownEntry } from './filter-traffic.ts'
import { isTooLong, type ScenarioDraft, toExchangeScenario, toScenarioText, withoutDefaults } from './scenario-draft.ts'
import type { Talk } from './talk.ts'

const LARGE_FILE_BYTES = 1_000_000

export interface ScenarioActions {
  loadScenario(name: string): Promise<void>
  loadFile(file: File): Promise<void>
  reset(): Promise<void>
  /** A shipped scenario, to look at. */
  readScenario(name: string): Promise<Scenario | undefined>
  /** How the world differs from its scenario. */
  readDiff(): Promise<StateDiff | undefined>
  /** The world as a scenario of that name. */
  snapshot(name: string): Promise<Scenario | undefined>
  /** Starts editing as text: a scenario, this world, a file, or the situation of a request. Resolves to whether it can be done. */
  editScenario(scenario: Scenario): Promise<boolean>
  editWorld(): Promise<boolean>
  editFile(file: File): Promise<boolean>
  editExchange(entry: ShownEntry): Promise<boolean>
  setDraft(draft: ScenarioDraft): void
  /** Ends editing; what was typed can be brought back, and `onReopen` is called then. */
  closeDraft(draft: ScenarioDraft, onReopen: () => void): void
  /** The scenario in the draft; rejects with its problems. */
  readDraft(draft: ScenarioDraft): Promise<Scenario>
  /** Resolves to whether it was loaded. */
  loadDraft(draft: ScenarioDraft): Promise<boolean>
  dismissFile(): void
}

interface ScenarioClients {
  /** For the world that is shown. */
  readonly client: ControlClient
  /** For the world of that key. */
  of(sandbox: string | null): ControlClient
}

export function createScenarioActions(
  store: Store,
  { client, of }: ScenarioClients,
  { say, complain, attempt, act, during }: Talk,
): ScenarioActions {
  async function replace(busy: string, run: () => Promise<StateSummary>, verb: string): Promise<void> {
    const summary = await during(busy, run)
    store.set({ rejected: undefined })
    say(`${verb} ${toSummary(summary)}`)
  }

  async function loadFile(file: File): Promise<void> {
    try {
      await during(`Loading ${file.name}…`, async () => loadDraft(await readFile(file)), isLarge(file))
    } catch (error) {
      reject(file.name, [(error as Error).message])
    }
  }

  function reject(file: string, problems: readonly string[], draft?: ScenarioDraft): void {
    store.set({ rejected: { file, problems, ...(draft && !isTooLong(draft) ? { draft } : {}) }, notice: undefined })
  }

  async function loadDraft(draft: ScenarioDraft): Promise<boolean> {
    const { file, text } = draft
    try {
      await replace(`Loading ${file}…`, () => client.call(extras.loadNamed, { file, text }), 'Loaded')
      return true
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      reject(file, error.message.split('\n'), draft)
      return false
    }
  }

  async function edit(read: () => Promise<ScenarioDraft>): Promise<boolean> {
    const isOpen = await act(async () => {
      const draft = await read()
      if (isTooLong(draft)) {
        complain(`${draft.file} is too long to edit here; save it as a file and edit that`)
        return false
      }
      store.set({ draft, rejected: undefined })
      return true
    })
    return isOpen === true
  }

  async function editFile(file: File): Promise<boolean> {
    try {
      const draft = await readFile(file)
      return edit(async () => draft)
    } catch (error) {
      reject(file.name, [(error as Error).message])
      return false
    }
  }

  const readWorld = async (from = client) => withoutDefaults(await from.state(), store.get().world?.assumptions ?? [])
  const editScenario = (read: () => Promise<Scenario>) =>
    edit(async () => {
      const scenario = await read()
      return { file: toFileName(scenario.name ?? '', 'yaml'), text: toScenarioText(scenario, 'yaml') }
    })

  return {
    loadScenario: (name) => act(() => replace(`Loading ${name}…`, () => client.load(name as ScenarioName), 'Loaded')),
    loadFile,
    reset: () => act(() => replace('Resetting…', () => client.reset(), 'Reset to')),
    readScenario: (name) => attempt(() => client.call(extras.scenario, name)),
    readDiff: () => attempt(() => client.diff()),
    snapshot: (name) => act(() => during('Reading the world…', async () => ({ ...(await client.state()), name }))),
    editScenario: (scenario) => editScenario(async () => scenario),
    editWorld: () => editScenario(() => readWorld()),
    editFile,
    editExchange: (entry) => editScenario(async () => toExchangeScenario(entry, await readWorld(of(entry.sandbox)))),
    setDraft: (draft) => store.set({ draft }),
    closeDraft(draft, onReopen) {
      store.set({ draft: undefined })
      if (!draft.isEdited) return
      say(`Closed ${draft.file} without loading it`, async () => {
        store.set({ draft })
        onReopen()
        return `Opened ${draft.file} again`
      })
    },
    readDraft: ({ file, text }) => client.call(extras.readText, { file, text }),
    loadDraft,
    dismissFile: () => store.set({ rejected: undefined }),
  }
}

/** As in `sold-out (50 animals)`. */
function toSummary({ scenario, pets }: StateSummary): string {
  return `${scenario} (${pets.toLocaleString('en')} ${pets === 1 ? 'animal' : 'animals'})`
}

/** Whether reading it keeps the page itself from doing anything else for a while. */
function isLarge({ size }: File): boolean {
  return size > LARGE_FILE_BYTES
}

/** The text of a file; rejects with what is wrong with it. */
async function readFile(file: File): Promise<ScenarioDraft> {
  const limit = /\.json$/i.test(file.name) ? MAX_DOCUMENT_BYTES : MAX_YAML_TEXT_BYTES
  if (file.size > limit) throw new Error(`${file.name}: expected at most ${limit} bytes, got ${file.size}`)
  const bytes = await file.arrayBuffer()
  try {
    return { file: file.name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    throw new Error(`${file.name}: expected a file of UTF-8 text`)
  }
}
