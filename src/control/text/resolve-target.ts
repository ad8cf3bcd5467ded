// Where a copy of a logged request goes: always to this mock, whatever host the target names.
import { splitTarget } from '../../contract/address.ts'
import { isControlTarget } from '../protocol.ts'

/**
 * Where `fetch` sends a request for a target, since it resolves `..`; undefined if that is not in
 * the service.
 */
export function resolveTarget(target: string): string | undefined {
  const { pathname, search } = new URL(`http://localhost${pathOf(target)}`)
  return isControlTarget(pathname) ? undefined : pathname + search
}

/** In visible ASCII, without the host of an absolute-form target. */
export function pathOf(target: string): string {
  const { rest } = splitTarget(target)
  const path = rest.replace(/[^!-~]+|#/g, encodePercent)
  return path.startsWith('/') ? path : `/${path}`
}

/** Unlike `encodeURIComponent` it takes lone surrogates. */
function encodePercent(text: string): string {
  let encoded = ''
  for (const byte of new TextEncoder().encode(text)) {
    encoded += `%${byte.toString(16).padStart(2, '0')}`
  }
  return encoded
}
