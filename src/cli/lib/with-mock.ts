// A client for a running mock, for the time of one command. Failures are explained here.
import { IS_SHARED, UsageError } from '../../contract/errors.ts'
import { checkSandbox } from '../../control/check-call.ts'
import { type ControlClient, createClient } from '../../control/client/client.ts'
import type { ControlFetch } from '../../control/client/send.ts'
import type { MethodRow } from '../../control/method-row.ts'
import { findMockUrl, findUrlSandbox, HEADERS } from '../../control/protocol.ts'
import { fetchByHttp } from './fetch-by-http.ts'
import type { RemoteFlags } from './flags.ts'
import { notify } from './output.ts'

const POLL_MS = 100

type ClientFlags = RemoteFlags & { readonly wait?: number }
type ClientOptions = { readonly isQuiet?: boolean | undefined }

/** Runs `use` with a client for one state, or for the whole mock. */
export async function withState<T>(
  flags: ClientFlags,
  use: (mock: ControlClient) => Promise<T>,
  options: ClientOptions = {},
): Promise<T> {
  const { url, controlToken, wait = 0 } = flags
  const sandbox = flags.sandbox ?? findUrlSandbox(url)
  let hasSandboxes = false
  let isNew: boolean | undefined
  // Every response says whether there are sandboxes, so no command has to ask first.
  const fetch: ControlFetch = async (address, init) => {
    const response = await fetchByHttp(address, init)
    if (hasSandboxes || response.headers.get(HEADERS.sandboxes) === null) return response
    hasSandboxes = true
    if (sandbox === undefined && !options.isQuiet) notify(`${IS_SHARED} --sandbox <key>`)
    return response
  }
  const before = async (route: MethodRow) => {
    if (sandbox === undefined || route.isGlobal || isNew !== undefined) return
    const keys = await mock.sandboxes()
    // Where sandboxes are off, the mock refuses the key itself.
    if (hasSandboxes) checkSandbox(route, sandbox, keys)
    isNew = hasSandboxes && !keys.includes(sandbox)
  }
  const mock = createClient(findMockUrl(url), { token: () => controlToken, sandbox, fetch, before })
  try {
    await waitForMock(mock, wait)
    const result = await use(mock)
    if (isNew) notify(`Created sandbox ${sandbox}`)
    return result
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(explainFailure(error).split('\n'), error.status)
  }
}

async function waitForMock(mock: ControlClient, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    if (await responds(mock)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

export function responds(mock: ControlClient): Promise<boolean> {
  return mock.summary().then(
    () => true,
    ({ status }: UsageError) => status !== 0,
  )
}

function explainFailure(error: UsageError): string {
  const { status, message } = error
  if (status === 0)
    return `${message}: start one with animal-store-mock, or name another with --port or --url`
  if (status === 413) return `${message}; start the mock with --scenario, which has no limit`
  return message
}
