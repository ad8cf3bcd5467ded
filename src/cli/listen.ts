// Finds the mock a port: the one that the flags name, or else the default one or the next that is free.
import { UsageError } from '../contract/errors.ts'
import { type Serving, serve } from '../hosts/node/serve.ts'
import type { Mock } from '../mock/mock.ts'
import { DEFAULT_PORT, type MockFlags } from './flags.ts'

/** How many ports from the default one on are tried. */
const MAX_PORTS_TRIED = 100

export async function listen(mock: Mock, flags: MockFlags): Promise<Serving> {
  const { port: asked, host, allowedHost: allowedHosts, control, controlToken } = flags
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
