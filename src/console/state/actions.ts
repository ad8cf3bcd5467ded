// What a person can do on the page. Each action is a call of the control API; its effect comes back as an event.
import type { ClockChange } from '../../client/control-client.ts'
import type { OperationId } from '../../generated/contract.ts'
import type { Delay, Fault } from '../../world/faults.ts'
import { toShort } from '../parts/to-short.ts'
import { type AnimalActions, createAnimalActions } from './animal-actions.ts'
import { isTemplate, type Store } from './console-state.ts'
import type { AnimalFilter } from './filter-animals.ts'
import type { Clients, Following } from './follow-mock.ts'
import { createScenarioActions, type ScenarioActions } from './scenario-actions.ts'
import { createTalk } from './talk.ts'

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
    const { world } = store.get()
    if (!isTemplate(store.get())) {
      const [, isLast] = await changes.make([here()], () => client.clearRequests())
      const restore = async () => {
        await changes.make([here()], () => client.undo())
        return 'Restored the traffic'
      }
      say('Cleared the traffic', restore, isLast)
      return
    }
    // Of each world that had any, this is the last thing that happened to it.
    const keys = [...new Set(world?.entries.map(({ sandbox }) => sandbox))]
    const [, isLast] = await changes.make(keys, () => mock.clearTraffic())
    const restore = async () => {
      await changes.make(keys, () => Promise.all(keys.map((sandbox) => of(sandbox).undo())))
      return 'Restored the traffic of all sandboxes'
    }
    say('Cleared the traffic of all sandboxes', restore, isLast)
  }

  /** Applies what a response already says instead of waiting for the event. */
  function patch(change: Partial<NonNullable<ReturnType<Store['get']>['world']>>): void {
    const { world } = store.get()
    if (world) store.set({ world: { ...world, ...change } })
  }

  return {
    ...createAnimalActions(client, { ...talk, say: (text, undo) => say(text, undo, changes.watch([here()])) }),
    ...createScenarioActions(store, { client, of }, talk, (run) => changes.make([here()], run)),
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
    removeFault: (id) => act(() => client.faults.remove(id)),
    clearFaults: () => act(() => client.faults.clear()),
    setLatency: (latency) => act(async () => patch({ latency: (await client.latency.set(latency)) ?? undefined })),
    turnClock: (change) =>
      act(async () => {
        const clock = await client.clock.change(change)
        patch({ clock: { ...clock, readAt: Date.now() } })
      }),
    assume: (question, choice) => act(async () => patch({ assumptions: await client.assume({ [question]: choice }) })),
    showAnimals: following.showAnimals,
    look: following.look,
    lookBeside: following.lookBeside,
    removeSandbox: (key) => act(() => mock.removeSandbox(key)),
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
