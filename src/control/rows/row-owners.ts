// The owner of a row, for a log that others may read: the name of its sandbox, or the last
// characters of the key that names it. Short keys get a number instead.
import { MAX_SANDBOXES } from '../../contract/limits.ts'
import { describeKey } from '../../contract/values.ts'
import { isChange, type TimelineRow } from '../../world/row.ts'

/** Null for a row of the shared state. */
export type FindOwner = (row: TimelineRow) => string | null

/** The whole key, for readers who may see keys. */
export const findSandbox: FindOwner = (row) => row.sandbox

export function createOwners(): FindOwner {
  /** By sandbox, in the order in which they came. */
  const owners = new Map<string, string>()
  let lastNumber = 0

  function nameKey(sandbox: string): string {
    const end = describeKey(sandbox)
    if (end !== '…') return end
    lastNumber++
    return `key ${lastNumber}`
  }

  return (row) => {
    const { sandbox } = row
    if (sandbox === null) return null
    const owner = isChosen(row, sandbox) ? sandbox : (owners.get(sandbox) ?? nameKey(sandbox))
    owners.set(sandbox, owner)
    const [oldest = ''] = owners.keys()
    if (owners.size > MAX_SANDBOXES) owners.delete(oldest)
    return owner
  }
}

/** Whether the request named its sandbox, since its key did not: such a name is not a secret. */
function isChosen(row: TimelineRow, sandbox: string): boolean {
  return !isChange(row) && row.key !== describeKey(sandbox)
}
