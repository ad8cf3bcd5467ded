// One running mock for each file of `--persist`. The lock is a local socket that is named after the file: the system closes it with the
// process, however that ends. Where there are no such sockets, nothing is locked.
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Unlock = () => void

/** Returns nothing if another mock has the file. The path has no links. */
export async function lockFile(path: string): Promise<Unlock | undefined> {
  const name = `animal-store-mock-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`)
  // Abstract: there is no file that a killed process would leave.
  if (process.platform === 'linux') return listen(`\0${name}`)
  const socket = join(tmpdir(), name)
  const unlock = await listen(socket)
  if (unlock || (await isAnswered(socket))) return unlock
  await rm(socket, { force: true })
  return listen(socket)
}

function listen(address: string): Promise<Unlock | undefined> {
  return new Promise((resolve) => {
    const server = createServer((connection) => connection.destroy())
    const unlock = () => void server.close()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? undefined : unlock))
    server.listen(address, () => resolve(unlock)).unref()
  })
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(address, () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
  })
}
