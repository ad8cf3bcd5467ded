// What a person can do on the page. Each action is a call of the control API; its effect comes back as an event.
import { type ClockChange, ControlError, type Health } from '../../client/control-client.ts'
import type { OperationId } from '../../generated/contract.ts'
import { MAX_DOCUMENT_BYTES, MAX_YAML_TEXT_BYTES } from '../../limits.ts'
import type { Fault } from '../../world/faults.ts'
import type { JournalEntry } from '../../world/journal.ts'
import type { Scenario } from '../../world/situation.ts'
import { toFileName } from '../parts/save-file.ts'
import { type AnimalActions, createAnimalActions } from './animal-actions.ts'
import { isTemplate, type Store } from './console-state.ts'
import type { AnimalFilter } from './filter-animals.ts'
import type { Clients, Following } from './follow-mock.ts'
import { isTooLong, type ScenarioDraft, toExchangeScenario, toScenarioText, withoutDefaults } from './scenario-draft.ts'

export interface Actions extends AnimalActions {
  loadScenario(name: string): Promise<void>
  loadFile(file: File): Promise<void>
  /** A shipped scenario, to look at. */
  readScenario(name: string): Promise<Scenario | undefined>
  /** Starts editing as text: a scenario, this world, a file, or the situation of a request. Resolves to whether it can be done. */
  editScenario(scenario: Scenario): Promise<boolean>
  editWorld(): Promise<boolean>
  editFile(file: File): Promise<boolean>
  editExchange(entry: JournalEntry): Promise<boolean>
  setDraft(draft: ScenarioDraft | undefined): void
  /** The scenario in the draft; rejects with its problems. */
  readDraft(draft: ScenarioDraft): Promise<Scenario>
  /** Resolves to whether it was loaded. */
  loadDraft(draft: ScenarioDraft): Promise<boolean>
  reset(): Promise<void>
  /** The world as a scenario of that name. */
  snapshot(name: string): Promise<Scenario | undefined>
  clearTraffic(): Promise<void>
  /** Resolves to whether all were added. */
  addFaults(faults: readonly Fault[]): Promise<boolean>
  /** Lets every call of an operation fail. */
  failOperation(operation: OperationId): Promise<void>
  removeFault(id: string): Promise<void>
  clearFaults(): Promise<void>
  turnClock(change: ClockChange): Promise<void>
  assume(question: string, choice: string): Promise<void>
  showAnimals(filter: AnimalFilter): void
  look(sandbox: string | undefined): void
  removeSandbox(key: string): Promise<void>
  setKey(key: string): void
  unlock(token: string): void
  retry(): void
  say(text: string): void
  dismiss(): void
  dismissFile(): void
}

export function createActions(
  store: Store,
  { world: client, mock }: Clients,
  following: Following,
  setToken: (token: string) => void,
): Actions {
  const say = (text: string, undo?: () => Promise<void>) => store.set({ notice: { isProblem: false, text, ...(undo ? { undo } : {}) } })
  const complain = (text: string) => store.set({ notice: { isProblem: true, text } })

  /** Runs it and reports failures of the control API as a notice. */
  async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      const isConnection = error.failure === 'unreachable'
      store.set({ notice: { isProblem: true, text: error.message, isConnection } })
      if (isConnection) following.retry()
      return undefined
    }
  }

  /** Replaces the world and offers to undo that. */
  async function replace(run: () => Promise<Health>, verb: string): Promise<void> {
    const before = await client.state()
    const { scenario, pets } = await run()
    store.set({ rejected: undefined })
    say(`${verb} ${scenario} (${pets.toLocaleString('en')} ${pets === 1 ? 'animal' : 'animals'})`, () => restore(before))
  }

  function restore(before: Scenario): Promise<void> {
    return attempt(async () => {
      await client.load(before)
      say(`Restored ${before.name ?? 'the previous world'}`)
    })
  }

  async function loadFile(file: File): Promise<void> {
    try {
      await loadDraft(await readFile(file))
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
      await replace(() => client.loadText(file, text), 'Loaded')
      return true
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      reject(file, error.problems, draft)
      return false
    }
  }

  async function edit(read: () => Promise<ScenarioDraft>): Promise<boolean> {
    const isOpen = await attempt(async () => {
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

  const readWorld = async () => withoutDefaults(await client.state(), store.get().world?.assumptions ?? [])
  const editScenario = (read: () => Promise<Scenario>) =>
    edit(async () => {
      const scenario = await read()
      return { file: toFileName(scenario.name ?? '', 'yaml'), text: toScenarioText(scenario, 'yaml') }
    })

  return {
    loadScenario: (name) => attempt(() => replace(() => client.loadByName(name), 'Loaded')),
    loadFile,
    readScenario: (name) => attempt(() => mock.scenario(name)),
    editScenario: (scenario) => editScenario(async () => scenario),
    editWorld: () => editScenario(readWorld),
    editFile: (file) => edit(() => readFile(file).catch((error: Error) => Promise.reject(new ControlError('refused', 0, error.message)))),
    editExchange: (entry) => editScenario(async () => toExchangeScenario(entry, await readWorld())),
    setDraft: (draft) => store.set({ draft }),
    readDraft: ({ file, text }) => client.readText(file, text),
    loadDraft,
    reset: () => attempt(() => replace(() => client.reset(), 'Reset to')),
    snapshot: (name) => attempt(async () => ({ ...(await client.state()), name })),
    clearTraffic: () => attempt(() => (isTemplate(store.get()) ? mock.clearTraffic() : client.clearRequests())),
    async addFaults(faults) {
      const added = await attempt(async () => {
        for (const fault of faults) await client.faults.add(fault)
        return true
      })
      return added === true
    },
    failOperation: (operation) =>
      attempt(async () => {
        const { id } = await client.faults.add({ operation, status: 503 })
        say(`${operation} now responds 503`, () => attempt(() => client.faults.remove(id)))
      }),
    removeFault: (id) => attempt(() => client.faults.remove(id)),
    clearFaults: () => attempt(() => client.faults.clear()),
    turnClock: (change) =>
      attempt(async () => {
        const clock = await client.clock.change(change)
        patch({ clock: { ...clock, readAt: Date.now() } })
      }),
    assume: (question, choice) => attempt(async () => patch({ assumptions: await client.assume({ [question]: choice }) })),
    ...createAnimalActions(client, { say, attempt }),
    showAnimals: following.showAnimals,
    look: following.look,
    removeSandbox: (key) => attempt(() => mock.removeSandbox(key)),
    setKey: (apiKey) => store.set({ apiKey }),
    unlock(token) {
      setToken(token)
      following.retry()
    },
    retry: following.retry,
    say,
    dismiss: () => store.set({ notice: undefined }),
    dismissFile: () => store.set({ rejected: undefined }),
  }

  /** Applies what a response already says instead of waiting for the event. */
  function patch(change: Partial<NonNullable<ReturnType<Store['get']>['world']>>): void {
    const { world } = store.get()
    if (world) store.set({ world: { ...world, ...change } })
  }
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
