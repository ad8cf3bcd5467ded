// What a person can do on the page. Each action is a call of the control API; its effect comes back as an event.
import { type ClockChange, ControlError, type Health } from '../../client/control-client.ts'
import { MAX_DOCUMENT_BYTES, MAX_YAML_TEXT_BYTES } from '../../limits.ts'
import type { Fault } from '../../world/faults.ts'
import type { Scenario } from '../../world/situation.ts'
import type { Store } from './console-state.ts'
import type { Clients, Following } from './follow-mock.ts'

export interface Actions {
  loadScenario(name: string): Promise<void>
  loadFile(file: File): Promise<void>
  /** Restores a world that was replaced. */
  restore(state: Scenario): Promise<void>
  reset(): Promise<void>
  /** The world as a scenario of that name. */
  snapshot(name: string): Promise<Scenario | undefined>
  clearTraffic(): Promise<void>
  /** Resolves to whether all were added. */
  addFaults(faults: readonly Fault[]): Promise<boolean>
  removeFault(id: string): Promise<void>
  clearFaults(): Promise<void>
  turnClock(change: ClockChange): Promise<void>
  assume(question: string, choice: string): Promise<void>
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
  const say = (text: string, undo?: Scenario) => store.set({ notice: { isProblem: false, text, ...(undo ? { undo } : {}) } })

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
    say(`${verb} ${scenario} (${pets.toLocaleString('en')} ${pets === 1 ? 'animal' : 'animals'})`, before)
  }

  async function loadFile(file: File): Promise<void> {
    const reject = (problems: readonly string[]) => store.set({ rejected: { file: file.name, problems }, notice: undefined })
    const limit = /\.json$/i.test(file.name) ? MAX_DOCUMENT_BYTES : MAX_YAML_TEXT_BYTES
    if (file.size > limit) return reject([`${file.name}: expected at most ${limit} bytes, got ${file.size}`])
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
      await replace(() => client.loadText(file.name, text), 'Loaded')
    } catch (error) {
      reject(error instanceof ControlError ? error.problems : [`${file.name}: expected a file of UTF-8 text`])
    }
  }

  return {
    loadScenario: (name) => attempt(() => replace(() => client.loadByName(name), 'Loaded')),
    loadFile,
    restore: (state) =>
      attempt(async () => {
        await client.load(state)
        say(`Restored ${state.name ?? 'the previous world'}`)
      }),
    reset: () => attempt(() => replace(() => client.reset(), 'Reset to')),
    snapshot: (name) => attempt(async () => ({ ...(await client.state()), name })),
    clearTraffic: () => attempt(() => client.clearRequests()),
    async addFaults(faults) {
      const added = await attempt(async () => {
        for (const fault of faults) await client.faults.add(fault)
        return true
      })
      return added === true
    },
    removeFault: (id) => attempt(() => client.faults.remove(id)),
    clearFaults: () => attempt(() => client.faults.clear()),
    turnClock: (change) =>
      attempt(async () => {
        const clock = await client.clock.change(change)
        patch({ clock: { ...clock, readAt: Date.now() } })
      }),
    assume: (question, choice) => attempt(async () => patch({ assumptions: await client.assume({ [question]: choice }) })),
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
