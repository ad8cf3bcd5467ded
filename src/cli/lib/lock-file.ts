// One running mock per file. Listening on a local address is the lock: the system lets one process
// listen, and frees the address however that process ends.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm, rmdir } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Undefined if another mock holds the file; else a function that gives it back. */
export async function lockFile(
  path: string,
  platform = process.platform,
): Promise<(() => void) | undefined> {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32)
  const name = `animal-store-mock-${hash}`
  if (platform === 'win32') return listen(`\\\\.\\pipe\\${name}`)
  // Abstract: it is not in the file system, so a killed process leaves nothing behind.
  if (platform === 'linux') return listen(`\0${name}`)
  return listenOnFile(join(tmpdir(), name))
}

async function listen(address: string): Promise<(() => void) | undefined> {
  const server = createServer((other) => other.destroy())
  const error = await tryToListen(server, address)
  if (error === 'EADDRINUSE') return undefined
  // Where no such address is possible, the mock runs without the lock rather than not at all.
  return () => {
    server.close()
  }
}

async function tryToListen(server: Server, address: string): Promise<string | undefined> {
  try {
    await once(server.listen(address).unref(), 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/** A killed process leaves its socket file behind, and no process listens on it. */
async function listenOnFile(address: string): Promise<(() => void) | undefined> {
  const unlock = await listen(address)
  if (unlock || (await isListening(address))) return unlock
  // Only one process may remove the file: another could remove the socket of the one that did.
  const removal = `${address}.removal`
  const mayRemove = await mkdir(removal).then(
    () => true,
    () => false,
  )
  if (!mayRemove) return undefined
  try {
    if (await isListening(address)) return undefined
    await rm(address, { force: true })
    return await listen(address)
  } finally {
    await rmdir(removal)
  }
}

async function isListening(address: string): Promise<boolean> {
  const connection = createConnection(address)
  try {
    await once(connection, 'connect')
    return true
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}
