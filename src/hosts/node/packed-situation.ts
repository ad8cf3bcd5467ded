// A situation on its way from the thread that read it: the texts of its animals in a few long strings, since a million short ones take
// a second to arrive. The other side takes them apart a piece at a time, and answers requests in between.
import { contract, type PetStatus } from '../../generated/contract.ts'
import { append, type Shelf } from '../../world/shelf.ts'
import type { Situation } from '../../world/situation.ts'
import { setImmediate } from './timers.ts'

export interface PackedSituation extends Omit<Situation, 'shelf'> {
  readonly shelf: Pick<Shelf, 'ids' | 'bytes'> & { readonly pieces: readonly Piece[] }
}

interface Piece {
  /** The texts of some animals, one after the other. */
  readonly text: string
  /** Where each of them ends. */
  readonly ends: Uint32Array
  /** The place of the status of each in the contract, from 1; 0 for none. */
  readonly statuses: Uint8Array
}

/** Taking this many apart takes some milliseconds. */
const PIECE_LENGTH = 10_000
const STATUSES: readonly (PetStatus | undefined)[] = [undefined, ...contract.schemas.PetStatus.enum]

export function packSituation({ shelf, ...situation }: Situation): PackedSituation {
  const { texts, byStatus, ids, bytes } = shelf
  /** By status, the animals that are not packed yet. */
  const heads = STATUSES.map((status) => ({ list: (status && byStatus.get(status)) ?? [], next: 0 }))
  const toStatus = (text: string) => {
    const place = heads.findIndex(({ list, next }) => list[next] === text)
    const head = heads[place]
    if (head) head.next++
    return Math.max(place, 0)
  }
  const pieces: Piece[] = []
  for (let from = 0; from < texts.length; from += PIECE_LENGTH) {
    const some = texts.slice(from, from + PIECE_LENGTH)
    let end = 0
    pieces.push({
      text: some.join(''),
      ends: Uint32Array.from(some, ({ length }) => {
        end += length
        return end
      }),
      statuses: Uint8Array.from(some, toStatus),
    })
  }
  return { ...situation, shelf: { ids, bytes, pieces } }
}

export async function unpackSituation({ shelf: { pieces, ...shelf }, ...situation }: PackedSituation): Promise<Situation> {
  const whole: Shelf = { ...shelf, texts: [], byStatus: new Map() }
  for (const { text, ends, statuses } of pieces) {
    let start = 0
    for (const [index, end] of ends.entries()) {
      const status = STATUSES[statuses[index] as number]
      append(whole, status === undefined ? {} : { status }, text.slice(start, end))
      start = end
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ...situation, shelf: whole }
}
