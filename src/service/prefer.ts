// A fault for one request, asked for by the request itself: `Prefer: code=503, delay=1500` or `Prefer: drop` (RFC 7240).
import { MAX_DELAY_MS } from '../limits.ts'
import type { Strike } from '../world/faults.ts'

/** What the request prefers, and which of its preferences were understood; the others are ignored, as the RFC asks. */
export function parsePrefer(header: string | undefined): { strike: Strike; applied: string } | undefined {
  if (header === undefined) return undefined
  let status: number | undefined
  let delay = 0
  let drop = false
  const applied: string[] = []
  for (const preference of header.split(',')) {
    const match = /^\s*(code|delay|drop)\s*(?:=\s*"?(\d+)"?\s*)?(?:;.*)?$/i.exec(preference)
    if (!match) continue
    const name = (match[1] as string).toLowerCase()
    const number = match[2] === undefined ? Number.NaN : Number(match[2])
    if (name === 'code' && number >= 400 && number <= 599) status = number
    else if (name === 'delay' && number <= MAX_DELAY_MS) delay = number
    else if (name === 'drop' && match[2] === undefined) drop = true
    else continue
    applied.push(name === 'drop' ? name : `${name}=${number}`)
  }
  if (applied.length === 0) return undefined
  return { strike: { faults: ['Prefer'], status, delay, drop }, applied: applied.join(', ') }
}
