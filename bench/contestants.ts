// Ours and bare as processes. Bare sends what ours was seen to send, byte for byte, but for the fields that Node adds itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchRequest, operationNames, operations } from './operations.ts'
import { type ServerCommand, type ServerProcess, startServer } from './server-process.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

interface RecordedAnswer {
  readonly status: number
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Our server, with what else the command line is to say. */
export function ours(...flags: readonly string[]): ServerCommand {
  return {
    name: 'animal-store-mock',
    args: (port) => [join(root, 'bin/animal-store-mock.js'), '--port', String(port), '--log', 'silent', ...flags],
    reset: (port) => reset(`http://127.0.0.1:${port}/__mock/reset`),
  }
}

/** Resets a mock of ours, at the address of its control API for that. */
export async function reset(address: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = await fetch(address, { method: 'POST', headers: { 'X-Mock-Control': '1', ...headers } })
  if (!answer.ok) throw new Error(`reset: ${answer.status}`)
}

/** The bare server, which replays what our server has just been seen to answer. */
export async function recordBare(): Promise<{ command: ServerCommand; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  const file = join(folder, 'answers.json')
  const server = await startServer(ours())
  const recorded = await recordAll(server)
  await server.stop()
  writeFileSync(file, JSON.stringify(recorded))
  const command: ServerCommand = { name: 'bare node:http', args: (port) => [join(root, 'bench/bare.mjs'), file, String(port)] }
  const bare = await startServer(command)
  const replayed = await recordAll(bare)
  await bare.stop()
  if (JSON.stringify(replayed) !== JSON.stringify(recorded)) throw new Error('the bare server does not send what ours sends')
  return { command, remove: () => rmSync(folder, { recursive: true }) }
}

async function recordAll({ port }: ServerProcess): Promise<Record<string, RecordedAnswer>> {
  const recorded: Record<string, RecordedAnswer> = {}
  for (const name of operationNames) {
    const operation = operations[name]
    recorded[`${operation.method} ${operation.target}`] = await ask(port, operation)
  }
  return recorded
}

const NODES_OWN = ['date', 'connection', 'keep-alive']

function ask(port: number, { method, target, headers, body }: BenchRequest): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method, path: target, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => {
        const kept = response.rawHeaders.filter((_, index, all) => !NODES_OWN.includes((all[index - (index % 2)] as string).toLowerCase()))
        resolve({ status: response.statusCode as number, headers: kept, body: text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
