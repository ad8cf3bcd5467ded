// Finds the mock its place: where the flags say, or else on the default port or the next free one.
import { UsageError } from '../contract/errors.ts'
import { type Serving, serve } from '../hosts/node/serve.ts'
import type { Mock } from '../mock.ts'
import { DEFAULT_PORT, type ServeFlags } from './serve-flags.ts'

/** How many ports from the default one on are tried. */
const PORTS = 100

export async function listen(mock: Mock, flags: ServeFlags): Promise<Serving> {
  const options = {
    control: flags.control,
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.allowedHost ? { allowedHosts: flags.allowedHost } : {}),
    ...(flags.controlToken === undefined ? {} : { controlToken: flags.controlToken }),
  }
  const last = flags.port ?? DEFAULT_PORT + PORTS - 1
  for (let port = flags.port ?? DEFAULT_PORT; ; port++) {
    try {
      return await serve(mock, { ...options, port })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE' || port === last) throw toUsageError(error, code, port, flags.host)
    }
  }
}

function toUsageError(error: unknown, code: string | undefined, port: number, host: string | undefined): unknown {
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(`port ${port} is in use: stop what listens there, or take another one (--port 0 picks a free one)`)
    case 'EACCES':
      return new UsageError(`port ${port} is not open to this user: take one above 1023 (--port 0 picks a free one)`)
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return new UsageError(`host ${JSON.stringify(host)} is no address of this machine: leave --host out, or name one that is`)
    default:
      return error
  }
}
