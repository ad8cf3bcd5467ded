// Finds the mock a port: the one that the flags name, or else the default one or the next that is free.
import { isUsageError, UsageError } from '../contract/errors.ts'
import { type Serving, serve } from '../hosts/node/serve.ts'
import { MAX_HEADER_BYTES } from '../limits.ts'
import type { Mock } from '../mock/mock.ts'
import { parseControlToken } from '../mock/parse-settings.ts'
import { DEFAULT_PORT, type MockFlags } from './flags.ts'

/** How many ports from the default one on are tried. */
const MAX_PORTS_TRIED = 100
/** More than any token that fits into a header. */
const MAX_TOKEN_FILE_BYTES = 2 * MAX_HEADER_BYTES

export async function listen(mock: Mock, flags: MockFlags): Promise<Serving> {
  const { port: asked, host, allowedHost: allowedHosts, control } = flags
  const controlToken = await findControlToken(flags)
  const options = {
    control,
    ...(host === undefined ? {} : { host }),
    ...(allowedHosts ? { allowedHosts } : {}),
    ...(controlToken === undefined ? {} : { controlToken }),
  }
  const last = asked ?? DEFAULT_PORT + MAX_PORTS_TRIED - 1
  for (let port = asked ?? DEFAULT_PORT; ; port++) {
    try {
      return await serve(mock, { ...options, port })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE' || port === last) throw toUsageError(error, code, port, host)
    }
  }
}

/** From a file it is in no list of processes. */
async function findControlToken({ controlToken, controlTokenFile: file }: MockFlags): Promise<string | undefined> {
  if (file === undefined) return controlToken
  if (controlToken !== undefined) throw new UsageError('--control-token and --control-token-file exclude each other')
  const text = await readTokenFile(file).catch((error: NodeJS.ErrnoException) => {
    if (isUsageError(error)) throw error
    throw new UsageError(error.code === 'ENOENT' ? `${file}: no such file` : `${file}: cannot be read (${error.code})`)
  })
  try {
    return parseControlToken(text.trim())
  } catch (error) {
    throw new UsageError(`${file}: ${(error as UsageError).message}`)
  }
}

async function readTokenFile(file: string): Promise<string> {
  const { readFile, stat } = await import('node:fs/promises')
  // Looked at before it is opened: opening a pipe would wait for its other end.
  const status = await stat(file)
  if (!status.isFile()) throw new UsageError(`${file}: expected a regular file`)
  if (status.size > MAX_TOKEN_FILE_BYTES) throw new UsageError(`${file}: expected a token, got ${status.size} bytes`)
  return readFile(file, 'utf8')
}

function toUsageError(error: unknown, code: string | undefined, port: number, host: string | undefined): unknown {
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(`Port ${port} is in use; free it or choose another with --port (0 picks a free one)`)
    case 'EACCES':
      return new UsageError(`Port ${port} requires more rights; choose one above 1023 with --port (0 picks a free one)`)
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return new UsageError(`${JSON.stringify(host)} is not an address of this machine; choose another with --host, or omit it`)
    default:
      return error
  }
}
