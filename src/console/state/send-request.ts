// Sends a request to the service, as any client would.
import { toScriptPath } from '../parts/to-script.ts'
import type { InterfaceOperation } from './read-interface.ts'

/** The contents of the form; empty fields are not sent. */
export interface Draft {
  readonly values: Readonly<Record<string, string>>
  readonly body: string
  readonly prefer: string
}

export interface ServiceRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type ServiceAnswer =
  | {
      readonly status: number
      readonly headers: readonly (readonly [name: string, value: string])[]
      readonly body: string
      readonly took: number
    }
  | { readonly failure: string }

export function toRequest({ method, path, fields, body }: InterfaceOperation, draft: Draft, key: string): ServiceRequest {
  const query: string[] = []
  let target = path
  for (const { name, place } of fields) {
    const value = draft.values[name] ?? ''
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'query' && value !== '') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  return {
    method,
    target: query.length === 0 ? target : `${target}?${query.join('&')}`,
    headers: {
      ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(draft.prefer === '' ? {} : { Prefer: draft.prefer }),
    },
    body: body === undefined ? undefined : draft.body,
  }
}

export async function sendRequest({ method, target, headers, body }: ServiceRequest): Promise<ServiceAnswer> {
  const startedAt = performance.now()
  const fields = toHeaders(headers)
  if (fields === undefined) return { failure: 'Not sent: the key, or another header, has a character that HTTP does not allow there' }
  try {
    const init = { method, headers: fields, cache: 'no-store', credentials: 'omit' } as const
    // Always to this mock, whatever host the target names.
    const response = await fetch(location.origin + toScriptPath(target), body === undefined ? init : { ...init, body })
    const text = await response.text()
    return { status: response.status, headers: [...response.headers], body: text, took: performance.now() - startedAt }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { failure: `No response: the connection was dropped, or the browser blocked the request (${message})` }
  }
}

/** Undefined if no request can have them. */
function toHeaders(headers: Readonly<Record<string, string>>): Headers | undefined {
  try {
    return new Headers(headers)
  } catch {
    return undefined
  }
}

/** Header fields as a person writes them, one on a line. */
export function toFieldLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

export function parseFields(lines: string): Record<string, string> {
  const fields = lines
    .split('\n')
    .map((line) => line.split(/:(.*)/s))
    .map(([name = '', value = '']) => [name.trim(), value.trim()] as const)
  return Object.fromEntries(fields.filter(([name]) => name !== ''))
}
