// Finds the mock a port: the one that the flags name, or else the default one or the next that is free.
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
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === last) throw error
    }
  }
}
