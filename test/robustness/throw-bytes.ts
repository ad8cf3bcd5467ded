// Throws streams of bytes at a real process, many at a time, and holds what comes back against what the mock remembers.
import { connect } from 'node:net'
import { expect } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createRawClient } from '../support/raw-client.ts'
import { type ByteStream, createByteStream, createResetSweep, describeStream, readMark, type StreamKind } from './byte-streams.ts'
import { type ReadResponse, readResponses } from './read-responses.ts'

/** A few requests each, so that the request log still holds all of a batch. */
const BATCH_CONNECTIONS = 150
const MAX_REQUESTS = 5
/** After this many looks in a row without a new byte, nothing more will come: the longest delay asked for is 2 ms. */
const QUIET_LOOKS = 4
const LOOK_EVERY_MS = 3
/** Far beyond any limit of the server: a client that waits this long would wait forever. */
const HANG_MS = 20_000

interface Entry {
  readonly type: 'request'
  readonly id: number
  readonly method: string
  readonly target: string
  readonly operation: string | null
  readonly status: number
  readonly outcome: 'sent' | 'dropped' | 'aborted'
  readonly notes: readonly string[]
}

interface Outcome {
  readonly stream: ByteStream
  readonly bytes: Buffer
  /** Whether the server reset the connection: a client that sends more after its last request may lose the response. */
  readonly isReset: boolean
}

export interface BytesRun {
  readonly seed: number
  readonly connections: number
  /** Where to stop, finished or not. */
  readonly deadlineMs: number
}

/** Runs streams of all kinds, the greater part read to their end, and gives how many there were. */
export async function throwBytes({ seed, connections, deadlineMs }: BytesRun): Promise<number> {
  const victim = await startVictim()
  let index = 0
  const phase = async (kind: StreamKind, share: number) => {
    const until = index + Math.floor(connections * share)
    const startedAt = performance.now()
    while (index < until && performance.now() - startedAt < deadlineMs * share) {
      const size = Math.min(BATCH_CONNECTIONS, until - index)
      const streams = Array.from({ length: size }, (_, offset) => createByteStream(seed, index + offset, kind))
      await victim.throwBatch(streams, kind)
      index += size
    }
  }
  await phase('read', 0.5)
  const sweep = createResetSweep()
  for (let from = 0; from < sweep.length; from += BATCH_CONNECTIONS) {
    await victim.throwBatch(sweep.slice(from, from + BATCH_CONNECTIONS), 'reset')
  }
  await phase('reset', 0.5)
  await victim.end()
  return index
}

async function startVictim() {
  const running = await startCli(['--scenario', 'single', '--log', 'silent'])
  const banner = running.stderr()
  const port = Number(new URL(running.url).port)
  const control = createRawClient(port)
  const ask = async (target: string) => JSON.parse((await control.ask({ target })).text)
  const countAnimals = async () => (await ask('/__mock/health')).pets as number
  let lastId = 0
  let animals = await countAnimals()

  /** The server has answered others since the last byte came, again and again: it owes no response. */
  async function untilQuiet(count: () => number): Promise<void> {
    let seen = -1
    for (let looks = 0; looks < QUIET_LOOKS; looks++) {
      if (seen !== count()) looks = 0
      seen = count()
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      // A process that has died is found in what follows.
      await ask('/__mock/health').catch(() => {})
    }
  }

  /**
   * The new rows and the animals of one moment: a request whose client has reset its connection may come between two looks. Changes of the
   * clock take ids too.
   */
  async function readState(): Promise<{ rows: (Entry | { type: 'change'; id: number })[]; now: number }> {
    for (;;) {
      const now = await countAnimals()
      const rows = ((await ask('/__mock/timeline?limit=20000')) as Entry[]).filter(({ id }) => id > lastId)
      if ((await countAnimals()) === now) return { rows, now }
    }
  }

  async function throwBatch(streams: readonly ByteStream[], kind: StreamKind): Promise<void> {
    const conversations = streams.map((stream) => converse(port, stream))
    await Promise.all(conversations.map(({ written }) => written))
    await untilQuiet(() => conversations.reduce((sum, { received }) => sum + received(), 0))
    for (const { finish } of conversations) finish()
    const outcomes = await Promise.all(conversations.map(({ outcome }) => outcome))
    expect([running.child.exitCode, running.stdout(), running.stderr()], 'the process lives, and says nothing').toEqual([null, '', banner])
    const read = outcomes.map((outcome) => ({ ...outcome, responses: readStrictly(outcome) }))
    const { rows, now } = await readState()
    const entries = rows.filter((row) => row.type === 'request')
    const before = { lastId, animals }
    lastId = rows.at(-1)?.id ?? lastId
    animals = now
    const fail = (text: string) =>
      new Error(
        `${text}\n${read
          .map(({ stream }) => describeStream(stream))
          .join('\n')
          .slice(0, 20_000)}`,
      )
    if (lastId - before.lastId !== rows.length) throw fail('the request log has forgotten some of a batch')
    const created = entries.filter(isCreation).length
    if (animals - before.animals !== created) throw fail(`${animals - before.animals} animals, and ${created} creations in the request log`)
    const twice = findTwice(entries)
    if (twice) throw fail(`in the request log twice: ${JSON.stringify(twice)}`)
    const answered = entries.filter(({ status }) => status !== 0)
    const received = read.flatMap(({ responses }) => responses).filter(isOfService)
    const creations = received.filter(({ status }) => status === 201).length
    const lost = kind === 'read' ? MAX_REQUESTS * outcomes.filter(({ isReset }) => isReset).length : entries.length
    const isMissing = (counted: number, logged: number) => counted > logged || counted < logged - lost
    if (isMissing(received.length, answered.length)) throw fail(`${received.length} responses, and ${answered.length} in the request log`)
    if (isMissing(creations, created)) throw fail(`${creations} responses with 201, and ${created} creations in the request log`)
  }

  return {
    throwBatch,
    async end() {
      control.close()
      expect((await running.stop()).code).toBe(0)
    },
  }
}

/** Responses of the control API are not logged, nor are those of the server itself; only the service's vary by origin. */
function isOfService({ headers }: ReadResponse): boolean {
  return headers.vary === 'Origin'
}

/** Also one that no client saw. */
function isCreation({ operation, status, notes }: Entry): boolean {
  return operation === 'createPet' && (status === 201 || notes.some((note) => note.includes('201')))
}

function findTwice(entries: readonly Entry[]): Entry | undefined {
  const marks = new Set<string>()
  return entries.find(({ target }) => {
    const mark = readMark(target)
    if (mark === undefined) return false
    const isThere = marks.has(mark)
    marks.add(mark)
    return isThere
  })
}

function readStrictly({ stream, bytes, isReset }: Outcome): ReadResponse[] {
  const sent = Buffer.concat(stream.pieces).toString('latin1')
  try {
    return readResponses(bytes, { mayHaveHead: sent.includes('HEAD'), mayBeCut: isReset || stream.ending.startsWith('reset') })
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\n${describeStream(stream)}\ngot ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`,
    )
  }
}

interface Conversation {
  /** All that is to be sent has been, or the connection has closed. */
  readonly written: Promise<void>
  /** How many bytes have come so far. */
  received(): number
  /** Ends the client's side, if it has not ended yet. */
  finish(): void
  readonly outcome: Promise<Outcome>
}

/** One connection, from its first byte to its end. */
function converse(port: number, stream: ByteStream): Conversation {
  const chunks: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let isWritten = false
  const finish = () => {
    if (stream.ending.startsWith('reset')) socket.resetAndDestroy()
    else socket.end()
  }
  const written = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('connect', async () => {
      for (const piece of stream.pieces) await new Promise<void>((sent) => socket.write(piece, () => setImmediate(sent)))
      isWritten = true
      if (stream.ending === 'end' || stream.ending === 'reset') finish()
      resolve()
    })
  })
  const outcome = new Promise<Outcome>((resolve, reject) => {
    const hang = setTimeout(() => {
      const got = Buffer.concat(chunks).toString('latin1').slice(0, 500)
      reject(new Error(`neither answered nor closed: ${describeStream(stream)}\ngot ${got}`))
      socket.destroy()
    }, HANG_MS)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWritten && stream.ending === 'reset-on-response') finish()
    })
    let isReset = false
    socket.on('error', () => {
      isReset = true
    })
    socket.on('close', () => {
      clearTimeout(hang)
      resolve({ stream, bytes: Buffer.concat(chunks), isReset })
    })
  })
  return { written, received: () => socket.bytesRead, finish, outcome }
}
