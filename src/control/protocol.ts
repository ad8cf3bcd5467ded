// What the control API and its clients agree on: paths, header fields, media types, addresses.
import { splitTarget } from '../contract/address.ts'
import { mismatch } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { decodeName, SANDBOX_PATH } from '../service/choose-sandbox.ts'

export const CONTROL_PATH = '/__mock'
export const MOCK_NAME = 'animal-store-mock'
export const DEFAULT_PORT = 7387
export const RECORDING_TYPE = 'application/x-ndjson'

export const HEADERS = {
  /** On every response of the control API, so that a client can tell the mock from others. */
  mock: 'X-Mock',
  sandboxes: 'X-Mock-Sandboxes',
  row: 'X-Mock-Row',
  /** On a write without a body, since no form of a page can send it. */
  control: 'X-Mock-Control',
  total: 'X-Mock-Total',
}

/** In place of a key, where a method can concern all sandboxes. */
export const ALL_SANDBOXES = '*'

export function meansAllSandboxes(sandbox: unknown): boolean {
  return sandbox === ALL_SANDBOXES
}

export function isControlTarget(target: string): boolean {
  const { rest } = splitTarget(target)
  if (!rest.startsWith(CONTROL_PATH)) return false
  const after = rest.slice(CONTROL_PATH.length)
  return /^(?:[/?]|$)/.test(after)
}

/** Where a mock is mounted, by the address of its API, its control API or its console. */
export function findMockUrl(url: string): string {
  return splitAddress(url).mockUrl
}

/** The sandbox that a base address chooses, if any. */
export function findUrlSandbox(url: string): string | undefined {
  const { name } = splitAddress(url)
  return name === undefined ? undefined : decodeName(name)
}

/** The base address of a sandbox: `http://127.0.0.1:7387/__sandbox/w1/v1`. */
export function addressSandbox(url: string, sandbox: string): string {
  return findMockUrl(url) + SANDBOX_PATH + encodeURIComponent(sandbox) + contract.basePath
}

/** `http://127.0.0.1:7387/__sandbox/w1/v1` has the prefix of a sandbox. */
function splitAddress(url: string): { mockUrl: string; name?: string } {
  const address = dropEnd(url)
  const start = address.lastIndexOf(SANDBOX_PATH)
  const name = start < 0 ? '' : address.slice(start + SANDBOX_PATH.length)
  if (name === '' || name.includes('/')) return { mockUrl: address }
  return { mockUrl: address.slice(0, start), name }
}

function dropEnd(url: string): string {
  const address = url.replace(/\/+$/, '')
  const end = [contract.basePath, CONTROL_PATH].find((path) => address.endsWith(path)) ?? ''
  return address.slice(0, address.length - end.length)
}

/** Where the mock is mounted, by its address as people write it, such as `localhost:7387`. */
export function parseMockUrl(text: string, path = '', caller?: string): string {
  const url = parseHttpUrl(text)
  if (url) return url.origin + findMockUrl(url.pathname)
  const expected = `an address like http://127.0.0.1:${DEFAULT_PORT}/v1`
  throw mismatch(path, expected, caller === undefined ? { got: text } : { got: text, caller })
}

function parseHttpUrl(text: string): URL | undefined {
  // A path or a port alone would be read as a host.
  if (typeof text !== 'string' || /^(?:[/.]|\d+$)/.test(text)) return undefined
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const address = hasScheme ? text : `http://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return /^https?:$/.test(url.protocol) ? url : undefined
}
