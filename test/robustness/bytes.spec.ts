// No sequence of bytes, cut or reset, on any method and any path, ends the process, is answered
// twice or is lost count of: what comes back from a real process, which many connections use at a
// time, is held against what the mock remembers.
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { TimelineRow } from '../../src/index.ts'
import { isRequest } from '../../src/world/row.ts'
import { startCli } from '../support/cli-process.ts'
import { createRawClient } from '../support/raw-client.ts'
import {
  type ByteStream,
  createByteStream,
  createResetSweep,
  describeStream,
  readMark,
  type StreamKind,
} from './byte-streams.ts'
import { type ReadResponse, readResponses } from './read-responses.ts'

const CONNECTIONS = Number(process.env.BYTES_CONNECTIONS ?? 1_500)
const TIMEOUT_MS = 120_000 + 10 * CONNECTIONS
/** A few requests each, so that the request log still holds all of a batch. */
const BATCH_CONNECTIONS = 150
const MAX_REQUESTS = 5
/**
 * After this many looks in a row without a new byte, nothing more will come: the longest delay
 * asked for is 2 ms.
 */
const QUIET_LOOKS = 4
const LOOK_EVERY_MS = 3
/** Far beyond any limit of the server: a client that waits this long would wait forever. */
const HANG_MS = 20_000
const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0

it(`the server survives ${CONNECTIONS} connections with any bytes on them`, {
  timeout: TIMEOUT_MS,
}, async () => {
  console.log(`bytes: repeat with SPEC_SEED=${seed}`)
  const victim = await startVictim()
  for (let from = 0; from < CONNECTIONS; from += BATCH_CONNECTIONS) {
    const kind = from < CONNECTIONS / 2 ? 'read' : 'reset'
    const streams = Array.from({ length: BATCH_CONNECTIONS }, (_, offset) =>
      createByteStream(seed, from + offset, kind),
    )
    await victim.throwBatch(streams, kind)
  }
  const sweep = createResetSweep()
  while (sweep.length > 0) await victim.throwBatch(sweep.splice(0, BATCH_CONNECTIONS), 'reset')
  await victim.end()
})

async function startVictim() {
  const running = await startCli(['--scenario', 'single', '--log', 'silent'])
  const banner = running.stderr()
  const port = Number(new URL(running.url).port)
  const control = createRawClient(port)
  const ask = async (target: string) => JSON.parse((await control.ask({ target })).text)
  const countAnimals = async () => (await ask('/__mock/health')).pets as number
  let lastId = 0
  let animals = await countAnimals()

  /**
   * The server has answered others since the last byte came, again and again: it owes no response.
   */
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
   * The new rows and the animals of one moment: a request whose client has reset its connection may
   * come between two looks. Changes of the clock take ids too.
   */
  async function readState(): Promise<{ rows: TimelineRow[]; now: number }> {
    for (;;) {
      const now = await countAnimals()
      const rows = ((await ask('/__mock/timeline?limit=20000')) as TimelineRow[]).filter(
        ({ id }) => id > lastId,
      )
      if ((await countAnimals()) === now) return { rows, now }
    }
  }

  async function throwBatch(streams: readonly ByteStream[], kind: StreamKind): Promise<void> {
    const conversations = streams.map((stream) => converse(port, stream))
    await Promise.all(conversations.map(({ written }) => written))
    await untilQuiet(() => conversations.reduce((sum, { socket }) => sum + socket.bytesRead, 0))
    for (const { finish } of conversations) finish()
    const outcomes = await Promise.all(conversations.map(({ outcome }) => outcome))
    expect(
      [running.child.exitCode, running.stdout(), running.stderr()],
      'the process lives, and says nothing',
    ).toEqual([null, '', banner])
    // Responses of the control API are not logged, nor are those of the server itself; only the
    // service's vary by origin.
    const received = outcomes
      .flatMap(readStrictly)
      .filter(({ headers }) => headers.vary === 'Origin')
    const { rows, now } = await readState()
    const requests = rows.filter(isRequest)
    const batch = streams.map(describeStream).join('\n').slice(0, 20_000)
    expect(
      (rows.at(-1)?.id ?? lastId) - lastId,
      `rows of the request log, none forgotten, of\n${batch}`,
    ).toBe(rows.length)
    // Also one that no client saw.
    const created = requests.filter(
      ({ operation, status, notes }) =>
        operation === 'createPet' && (status === 201 || notes.some((note) => note.includes('201'))),
    )
    expect(now - animals, `animals, as many as creations in the request log, of\n${batch}`).toBe(
      created.length,
    )
    const marks = requests.flatMap(({ target }) => readMark(target) ?? [])
    expect(marks, `each request in the request log once, of\n${batch}`).toEqual([...new Set(marks)])
    const lost =
      kind === 'read'
        ? MAX_REQUESTS * outcomes.filter(({ isReset }) => isReset).length
        : requests.length
    const counts = [
      [received.length, requests.filter(({ status }) => status !== 0).length],
      [received.filter(({ status }) => status === 201).length, created.length],
    ] as const
    for (const [came, logged] of counts) {
      expect(came, `responses, no more than in the request log, of\n${batch}`).toBeLessThanOrEqual(
        logged,
      )
      expect(
        came,
        `responses, none of those in the request log lost, of\n${batch}`,
      ).toBeGreaterThanOrEqual(logged - lost)
    }
    lastId += rows.length
    animals = now
  }

  return {
    throwBatch,
    async end() {
      control.close()
      expect((await running.stop()).code).toBe(0)
    },
  }
}

interface Outcome {
  readonly stream: ByteStream
  readonly bytes: Buffer
  /**
   * Whether the server reset the connection: a client that sends more after its last request may
   * lose the response.
   */
  readonly isReset: boolean
}

function readStrictly({ stream, bytes, isReset }: Outcome): ReadResponse[] {
  const mayHaveHead = Buffer.concat(stream.pieces).includes('HEAD')
  try {
    return readResponses(bytes, mayHaveHead, isReset || stream.ending.startsWith('reset'))
  } catch (cause) {
    throw new Error(
      `${describeStream(stream)}\ngot ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`,
      { cause },
    )
  }
}

/** One connection, from its first byte to its end. */
function converse(port: number, stream: ByteStream) {
  const chunks: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let isWritten = false
  let isReset = false
  /** Ends the client's side, if it has not ended yet. */
  const finish = () =>
    void (stream.ending.startsWith('reset') ? socket.resetAndDestroy() : socket.end())
  /** All that is to be sent has been, or the connection has closed. */
  const written = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('connect', async () => {
      for (const piece of stream.pieces)
        await new Promise<void>((sent) => socket.write(piece, () => setImmediate(sent)))
      isWritten = true
      if (stream.ending === 'end' || stream.ending === 'reset') finish()
      resolve()
    })
  })
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    if (isWritten && stream.ending === 'reset-on-response') finish()
  })
  socket.on('error', () => {
    isReset = true
  })
  const outcome = new Promise<Outcome>((resolve, reject) => {
    socket.setTimeout(HANG_MS, () =>
      reject(new Error(`neither answered nor closed: ${describeStream(stream)}`)),
    )
    socket.on('close', () => resolve({ stream, bytes: Buffer.concat(chunks), isReset }))
  })
  return { socket, written, finish, outcome }
}
