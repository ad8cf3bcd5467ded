// The sandboxes of a deployment, as the shared object lists them.
import type { BoundSettings } from './bindings.ts'
import type { Storage } from './storage.ts'

export function createSandboxList(
  settings: BoundSettings,
  storage: Storage,
  report: (key: string) => void,
) {
  const removals: Promise<void>[] = []

  /** The storage of the sandbox goes first: if that fails, the key can be removed again. */
  async function erase(key: string): Promise<void> {
    await settings.toObject(key).erase()
    storage.removeKey(key)
    report(key)
  }

  return {
    keys: storage.keys,
    add(key: string): void {
      if (storage.hasKey(key)) return
      storage.addKey(key)
      report(key)
    },
    remove(key: string): boolean {
      if (!storage.hasKey(key)) return false
      removals.push(erase(key))
      return true
    },
    settle: () => Promise.all(removals.splice(0)),
  }
}
