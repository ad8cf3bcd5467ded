// Held responses on a hundred connections against a model: what each client gets, what the log says
// of it, and that nothing is left behind.
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { timers } from '../../src/hosts/node/exchange.ts'
import { type Serving, serve } from '../../src/hosts/node/serve.ts'
import { createEngine } from '../../src/mock/mock.ts'
import { openOptions } from '../../src/mock/mock-options.ts'
import { checkProperty, RUNS_FACTOR } from '../support/property.ts'

/** What the servers of this file have taken from their budgets and not given back. */
const budget = { bytes: 0 }
vi.mock('../../src/hosts/node/budget.ts', () => ({
  createBudget: () => ({
    take(bytes: number) {
      budget.bytes += bytes
      return true
    },
    give(bytes: number) {
      budget.bytes -= bytes
    },
  }),
}))

const CONNECTIONS = 100
const STEPS = 500
const MAX_PIPELINED = 3
const RUNS = 20
/** For one run, on a machine that does other things. */
const RUN_MS = 60_000
const START = {
  pets: [{ name: 'Rex', categoryId: 1 }],
  faults: [{ operation: '*', hold: '10m' }],
} as const

/** What a client got: a status, or the end of the connection. */
type Got = number | 'closed'

interface Sent {
  readonly number: number
  readonly isCreate: boolean
  /** By `Prefer`, in place of being held. */
  readonly isDelayed: boolean
  got?: Got
}

interface Client {
  readonly socket: Socket
  /** What has not come yet, in its order. */
  readonly unanswered: Sent[]
  /** The requests that have not ended in the model, in their order: the first one waits. */
  readonly open: Sent[]
}

interface Ended {
  readonly sent: Sent
  readonly outcome: 'sent' | 'dropped' | 'aborted'
  readonly status: number
}

type Run = Awaited<ReturnType<typeof start>>
type Step = (run: Run, at: number) => void | Promise<void>

/** Counts the timers that a server has set, and that have neither ended nor been cleared. */
function watchTimers(): () => number {
  const pending = new Set<unknown>()
  const { setTimeout, clearTimeout } = timers
  onTestFinished(() => void Object.assign(timers, { setTimeout, clearTimeout }))
  Object.assign(timers, {
    setTimeout(work: () => void, milliseconds: number) {
      const timer = setTimeout(() => {
        pending.delete(timer)
        work()
      }, milliseconds)
      pending.add(timer)
      return timer
    },
    clearTimeout(timer: NodeJS.Timeout) {
      pending.delete(timer)
      clearTimeout(timer)
    },
  })
  return () => pending.size
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  const endsAt = performance.now() + 5_000
  while (!isTrue()) {
    if (performance.now() > endsAt) throw new Error(`in vain: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function start() {
  const { mock, worlds } = createEngine(openOptions('createMock', START))
  const ended: Ended[] = []
  const checked: Ended[] = []
  const clients: Client[] = []
  return {
    mock,
    listWaiting: () => worlds.of().waiting.list(),
    serving: await serve(mock),
    clients,
    ended,
    /** Those whose clients have got what they should. */
    checked,
    pets: START.pets.length as number,
    lastNumber: 0,
  }
}

function openClient({ port }: Serving): Client {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const unanswered: Sent[] = []
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    for (let length = lengthOf(text); length > 0; length = lengthOf(text)) {
      const sent = unanswered.shift() as Sent
      sent.got = Number(text.slice('HTTP/1.1 '.length).slice(0, 3))
      text = text.slice(length)
    }
  })
  socket.on('close', () => {
    for (const sent of unanswered) sent.got = 'closed'
  })
  return { socket, unanswered, open: [] }
}

/** Of the first response in a text; 0 if it is not whole. */
function lengthOf(text: string): number {
  const head = /^.*?content-length: (\d+).*?\r\n\r\n/is.exec(text)
  const length = head ? head[0].length + Number(head[1]) : 0
  return length <= text.length ? length : 0
}

function send({ socket }: Client, { number, isCreate, isDelayed }: Sent): void {
  const body = isCreate ? JSON.stringify({ name: `Rex ${number}`, categoryId: 1 }) : ''
  const fields = ['Host: localhost', 'Authorization: Bearer any-key']
  if (isDelayed) fields.push('Prefer: delay=60000')
  if (isCreate) fields.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  const line = `${isCreate ? 'POST' : 'GET'} /v1/pets?number=${number} HTTP/1.1`
  socket.write(`${[line, ...fields].join('\r\n')}\r\n\r\n${body}`)
}

/** The request of a client begins to wait. The operation has run. */
function begin(run: Run, { open: [first] }: Client): void {
  if (first?.isCreate) run.pets++
}

/** The first request ends with a response, and the next one of its connection begins. */
function answer(run: Run, client: Client, status?: number): void {
  const sent = client.open.shift() as Sent
  const usual = sent.isCreate ? 201 : 200
  run.ended.push({ sent, outcome: 'sent', status: status ?? usual })
  begin(run, client)
}

/** The connection ends, with all its requests: those that wait for others have never begun. */
function close(run: Run, client: Client, outcome: 'dropped' | 'aborted'): void {
  const [sent] = client.open
  if (sent) run.ended.push({ sent, outcome, status: 0 })
  run.clients.splice(run.clients.indexOf(client), 1)
}

const numberOf = ({ target }: { readonly target: string }) => Number(target.split('=')[1])
const ascending = (one: number, other: number) => one - other
const busyClients = ({ clients }: Run) => clients.filter(({ open }) => open.length > 0)
const heldClients = (run: Run) => busyClients(run).filter(({ open }) => !open[0]?.isDelayed)
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]

/** A state begins again: what is held is dropped, and delays go on. */
function beginAgain(run: Run): void {
  for (const client of heldClients(run)) close(run, client, 'dropped')
  run.pets = START.pets.length
}

function idOf({ listWaiting }: Run, { open }: Client): number {
  const waiting = listWaiting().find(({ row }) => numberOf(row) === open[0]?.number)
  return waiting?.row.id as number
}

/** On a new connection, or else on one that is free, or behind a request that waits. */
const ask: Step = (run, at) => {
  const { clients, serving } = run
  const isNew = clients.length < CONNECTIONS
  const client = isNew ? openClient(serving) : pick(clients, at)
  if (!client || client.open.length >= MAX_PIPELINED) return
  if (isNew) clients.push(client)
  // Nothing waits behind a delay: it would be sent or not as the mock stops.
  const [first] = client.open
  if (first?.isDelayed) return
  run.lastNumber++
  const isDelayed = !first && at % 10 === 0
  const sent: Sent = { number: run.lastNumber, isCreate: at % 4 === 0, isDelayed }
  client.open.push(sent)
  client.unanswered.push(sent)
  send(client, sent)
  if (!first) begin(run, client)
}

const releases: readonly Step[] = [
  (run, at) => {
    const client = pick(busyClients(run), at)
    if (!client) return
    run.mock.control.release(idOf(run, client))
    answer(run, client)
  },
  (run, at) => {
    const client = pick(busyClients(run), at)
    if (!client) return
    run.mock.control.release(idOf(run, client), { status: 503 })
    answer(run, client, 503)
  },
  (run, at) => {
    const client = pick(busyClients(run), at)
    if (!client) return
    const response = { status: 418, body: 'x'.repeat(at % 1_000) }
    run.mock.control.release(idOf(run, client), { response })
    answer(run, client, 418)
  },
  (run, at) => {
    const client = pick(busyClients(run), at)
    if (!client) return
    run.mock.control.release(idOf(run, client), 'lost')
    close(run, client, 'dropped')
  },
]

const leaves: readonly Step[] = (['destroy', 'resetAndDestroy', 'end'] as const).map(
  (way): Step =>
    (run, at) => {
      const client = pick(run.clients, at)
      if (!client) return
      client.socket[way]()
      close(run, client, 'aborted')
    },
)

const ends: readonly Step[] = [
  (run) => {
    run.mock.control.release()
    for (const client of busyClients(run)) answer(run, client)
  },
  (run) => {
    run.mock.control.reset()
    beginAgain(run)
  },
  (run) => {
    run.mock.control.load(START)
    beginAgain(run)
  },
  (run) => {
    const { pets } = run
    run.mock.control.load(START)
    run.mock.control.rewind(run.mock.control.timeline({ limit: 1 })[0]?.id as number)
    beginAgain(run)
    run.pets = pets
  },
  async (run) => {
    for (const client of [...run.clients]) {
      const [first] = client.open
      if (first?.isDelayed) answer(run, client)
      else close(run, client, 'dropped')
    }
    await run.serving.close()
    run.clients.length = 0
    run.serving = await serve(run.mock)
  },
]

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: fc.constant(ask) },
  { weight: 30, arbitrary: fc.constantFrom(...releases) },
  { weight: 10, arbitrary: fc.constantFrom(...leaves) },
  { weight: 1, arbitrary: fc.constantFrom(...ends) },
)

/** The mock and the clients come to where the model is. */
async function settle(run: Run): Promise<void> {
  const { control } = run.mock
  const waiting = busyClients(run).map(({ open }) => open[0] as Sent)
  const numbers = String(waiting.map(({ number }) => number).sort(ascending))
  await until(`${numbers} wait`, () => {
    const rows = run.listWaiting().map(({ row }) => row)
    return String(rows.map(numberOf).sort(ascending)) === numbers
  })
  const held = run.listWaiting().filter(({ row }) => row.isHeld)
  expect(held).toHaveLength(waiting.filter(({ isDelayed }) => !isDelayed).length)
  expect(control.summary().pets).toBe(run.pets)
  for (const { sent, outcome, status } of run.ended.splice(0)) {
    const got = outcome === 'sent' ? status : 'closed'
    await until(`request ${sent.number} gets ${got}`, () => sent.got === got)
    run.checked.push({ sent, outcome, status })
  }
  // The server closes connections that are idle for long.
  run.clients = run.clients.filter(({ open, socket }) => open.length > 0 || !socket.destroyed)
}

function checkRows({ mock, checked }: Run): void {
  const rows = new Map(
    mock.control
      .timeline()
      .flatMap((row) => (row.type === 'request' ? [[numberOf(row), row]] : [])),
  )
  for (const { sent, outcome, status } of checked) {
    expect(rows.get(sent.number), `request ${sent.number}`).toMatchObject({ outcome, status })
  }
}

it(
  'what is held on a hundred connections ends as the model says, and leaves nothing behind',
  async () => {
    const countTimers = watchTimers()
    const size = { minLength: STEPS, maxLength: STEPS }
    // Shrinking would take minutes, and find little.
    const steps = fc.noShrink(fc.array(fc.tuple(step, fc.nat()), size))
    const property = fc.asyncProperty(steps, async (taken) => {
      const run = await start()
      for (let number = 1; number <= CONNECTIONS; number++) ask(run, number)
      await settle(run)
      for (const [take, at] of taken) {
        await take(run, at)
        await settle(run)
      }
      const ids = run.mock.control.held().map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted(ascending))
      for (const client of [...run.clients]) {
        client.socket.destroy()
        close(run, client, 'aborted')
      }
      await settle(run)
      checkRows(run)
      expect(run.mock.control.release()).toEqual([])
      await run.serving.close()
      expect({ ...budget, timers: countTimers() }).toEqual({ bytes: 0, timers: 0 })
    })
    await checkProperty('held', RUNS, property)
  },
  RUNS * RUNS_FACTOR * RUN_MS,
)
