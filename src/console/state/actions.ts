// What a person can do on the page. Each action is a call of the control API; its effect comes back as an event.
import type { OperationId } from '../../generated/contract.ts'
import type { Delay, Fault } from '../../world/faults.ts'
import { toShort } from '../parts/to-short.ts'
import { type AnimalActions, createAnimalActions } from './animal-actions.ts'
import { isTemplate, type Store } from './console-state.ts'
import type { AnimalFilter } from './filter-animals.ts'
import type { Clients, Following } from './follow-mock.ts'
import { createScenarioActions, type ScenarioActions } from './scenario-actions.ts'
import { createTalk } from './talk.ts'

interface ClockChange {
  readonly now?: string
  readonly advance?: string
  readonly frozen?: boolean
}

export interface Actions extends AnimalActions, ScenarioActions {
  clearTraffic(): Promise<void>
  /** Resolves to whether all were added. */
  addFaults(faults: readonly Fault[]): Promise<boolean>
  /** Lets every call of an operation fail, in the world of that key. */
  failOperation(operation: OperationId, sandbox: string | null): Promise<void>
  removeFault(id: string): Promise<void>
  clearFaults(): Promise<void>
  /** Null ends it. */
  setLatency(latency: Delay | null): Promise<void>
  turnClock(change: ClockChange): Promise<void>
  assume(question: string, choice: string): Promise<void>
  showAnimals(filter: AnimalFilter): void
  look(sandbox: string | undefined): void
  /** Reads the world of that key too; null ends that. */
  lookBeside(sandbox: string | null): void
  removeSandbox(key: string): Promise<void>
  setKey(key: string): void
  unlock(token: string): void
  retry(): void
  say(text: string): void
  dismiss(): void
}

export function createActions(
  store: Store,
  { world: client, mock, of }: Clients,
  following: Following,
  setToken: (token: string) => void,
): Actions {
  const talk = createTalk(store, following.retry)
  const { say, act } = talk
  const { changes } = following

  /** The world that is shown. */
  const here = () => store.get().sandbox ?? null

  async function clearTraffic(): Promise<void> {
    const isAll = isTemplate(store.get())
    await client.clearRequests(isAll ? { sandbox: '*' } : {})
    say(isAll ? 'Cleared the traffic of all sandboxes' : 'Cleared the traffic')
  }

  /** Applies what a response already says instead of waiting for the event. */
  function patch(change: Partial<NonNullable<ReturnType<Store['get']>['world']>>): void {
    const { world } = store.get()
    if (world) store.set({ world: { ...world, ...change } })
  }

  return {
    ...createAnimalActions(client, { ...talk, say: (text, undo) => say(text, undo, changes.watch([here()])) }),
    ...createScenarioActions(store, { client, of }, talk),
    clearTraffic: () => act(clearTraffic),
    async addFaults(faults) {
      const added = await act(async () => {
        for (const fault of faults) await client.faults.add(fault)
        return true
      })
      return added === true
    },
    failOperation: (operation, sandbox) =>
      act(async () => {
        const { faults } = of(sandbox)
        const { id } = await faults.add({ operation, status: 503 })
        const restore = async () => {
          await faults.remove(id)
          return `${operation} responds as before`
        }
        const place = sandbox === null ? '' : ` in the sandbox of ${toShort(sandbox)}`
        say(`${operation} now responds 503${place}`, restore, changes.watch([sandbox]))
      }),
    removeFault: (id) => act(async () => void (await client.faults.remove(id))),
    clearFaults: () => act(() => client.faults.clear()),
    setLatency: (latency) =>
      act(async () => {
        await client.latency.set(latency)
        patch({ latency: latency ?? undefined })
      }),
    turnClock: (change) =>
      act(async () => {
        const { now, advance, frozen } = change
        const options = frozen === undefined ? {} : { frozen }
        const { clock: remote } = client
        const turn =
          now !== undefined ? remote.set(now, options) : advance !== undefined ? remote.advance(advance, options) : remote.freeze(frozen)
        const clock = await turn
        patch({ clock: { ...clock, readAt: Date.now() } })
      }),
    assume: (question, choice) =>
      act(async () => {
        await client.assume({ [question]: choice })
        patch({ assumptions: await client.assumptions() })
      }),
    showAnimals: following.showAnimals,
    look: following.look,
    lookBeside: following.lookBeside,
    removeSandbox: (key) => act(async () => void (await mock.removeSandbox(key))),
    setKey: (apiKey) => store.set({ apiKey }),
    unlock(token) {
      setToken(token)
      following.retry()
    },
    retry: following.retry,
    say,
    dismiss: () => store.set({ notice: undefined }),
  }
}
