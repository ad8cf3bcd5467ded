// The real `prism proxy` in front of a server, as a process of its own. It validates what passes and says what it found in the
// `sl-violations` field; with --errors it would answer bad requests itself, and the server would never see them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Prism {
  readonly port: number
  stop(): Promise<void>
}

export interface PrismViolation {
  readonly location: readonly string[]
  readonly severity: string
  readonly message: string
}

const PRISM = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js')
const CONTRACT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url))
const TRIES = 5

/** Starts Prism before an address, or without one as a mock; a port that another process took meanwhile is not the end. */
export async function startPrism(upstream?: string): Promise<Prism> {
  for (let attempt = 1; ; attempt++) {
    const started = await tryPort(await findFreePort(), upstream)
    if (typeof started !== 'string') return started
    if (!started.includes('EADDRINUSE') || attempt === TRIES) throw new Error(`Prism did not start: ${started}`)
  }
}

async function tryPort(port: number, upstream: string | undefined): Promise<Prism | string> {
  const child = spawn(
    process.execPath,
    [
      PRISM,
      ...(upstream ? ['proxy', CONTRACT, upstream] : ['mock', CONTRACT]),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--cors',
      'false',
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
  let said = ''
  const isListening = await new Promise<boolean>((resolve) => {
    const hear = (chunk: Buffer) => {
      said += chunk
      if (said.includes('Prism is listening')) resolve(true)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('close', () => resolve(false))
  })
  if (!isListening) return said
  // Nobody reads on; what it says from here would only fill the pipe.
  child.stdout.removeAllListeners('data').resume()
  child.stderr.removeAllListeners('data').resume()
  return { port, stop }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
