// What a client sees of each outcome of a fault, by the place where the mock answers. The table in
// docs/faults.md is made of it, and test/hosts/every/fault-outcomes.spec.ts compares it with what
// clients see.
import type { Fault } from '../src/world/faults.ts'
import { code, type Row } from './markdown.ts'

/** What a client can see. */
const SEEN = {
  sent: 'sent',
  released: 'when released',
  late: 'late',
  slowly: 'slowly',
  closed: 'closed',
  reset: 'TCP reset',
  'stream-reset': 'stream reset',
  error: 'network error',
  cut: 'half, then closed',
  'cut-stream': 'half, then reset',
  'cut-body': 'status, then an error',
} as const

export type Seen = keyof typeof SEEN
/** An outcome that the host replaces by the nearest thing, as the row says. */
export type Nearest = `${Seen}*`

export const PLACES = ['HTTP', 'HTTPS', 'HTTP/2', '`fetch`, MSW', 'Workers'] as const

type Columns = readonly (Seen | Nearest)[]

interface Outcome {
  readonly fault: Partial<Fault>
  readonly runs: boolean
  readonly seen: Columns
}

const EVERYWHERE: Columns = ['sent', 'sent', 'sent', 'sent', 'sent']
const RELEASED: Columns = ['released', 'released', 'released', 'released', 'released']
const CLOSED: Columns = ['closed', 'closed', 'stream-reset', 'error', 'closed']

/** By the field that a fault has. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  status: { fault: { status: 503 }, runs: false, seen: EVERYWHERE },
  response: { fault: { response: { status: 200, body: [] } }, runs: false, seen: EVERYWHERE },
  body: { fault: { body: 'html' }, runs: true, seen: EVERYWHERE },
  'body: cut': {
    fault: { body: 'cut' },
    runs: true,
    seen: ['cut', 'cut', 'cut-stream', 'cut-body', 'closed*'],
  },
  drop: { fault: { drop: true }, runs: false, seen: CLOSED },
  lost: { fault: { lost: true }, runs: true, seen: CLOSED },
  rst: {
    fault: { rst: true },
    runs: false,
    seen: ['reset', 'closed*', 'stream-reset', 'error*', 'closed*'],
  },
  hold: { fault: { hold: true }, runs: true, seen: RELEASED },
  delay: { fault: { delay: 400 }, runs: true, seen: ['late', 'late', 'late', 'late', 'late'] },
  slow: {
    fault: { slow: 80 },
    runs: true,
    seen: ['slowly', 'slowly', 'slowly', 'late*', 'late*'],
  },
}

export function listOutcomes(): readonly Row[] {
  const rows: Row[] = [['outcome', 'operation', ...PLACES]]
  for (const [name, { runs, seen }] of Object.entries(OUTCOMES)) {
    rows.push([code(name), runs ? 'runs' : 'does not run', ...seen.map(saySeen)])
  }
  return rows
}

function saySeen(cell: Seen | Nearest): string {
  const isNearest = cell.endsWith('*')
  const seen = cell.replace('*', '') as Seen
  return isNearest ? `${SEEN[seen]} \\*` : SEEN[seen]
}
