// The paths of the contract: the operation that a path is for, or what was probably meant.
import { contract, type OperationContract } from '../contract/generated/contract.ts'
import type { PathSlip, Problem } from '../contract/problem.ts'
import { cutPath } from '../contract/schema.ts'
import { findNear } from '../contract/suggest.ts'
import { redactTarget } from '../world/redact.ts'
import { createRouter, describeAllow, listMethods } from './router.ts'
import { decode } from './target.ts'

const operations: readonly OperationContract[] = Object.values(contract.operations)

export const allMethods = listMethods(operations)
export const allowAnywhere = describeAllow(operations)
export const findRoute = createRouter(operations, decodeSegment)

/** The words in the paths of the contract, without parameters. */
const words = listWords()

function listWords(): string[] {
  const segments = operations.flatMap(({ path }) => path.split('/'))
  return [...new Set(segments)].filter((segment) => /^\w/.test(segment))
}

/** An encoded slash is a letter of its segment and stays encoded. */
function decodeSegment(segment: string): string {
  return segment.includes('%') ? decode(segment).replaceAll('/', '%2F') : segment
}

/** What was probably meant: the first of these that is a path of the API. */
export function explainMiss(sent: string): Problem {
  const { basePath: base } = contract
  // A path may be an address without its scheme, with a user and a password: `//user:pass@host`.
  const path = redactTarget(sent)
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const mended = tidy.split('/').map(findWord).join('/')
  // What precedes it was added by a proxy or a client.
  const place = path.indexOf(`${base}/`, 1)
  const start = place < 0 ? 0 : place
  const rest = path.slice(start)
  const isTwice = path.startsWith(`${base}${base}/`)
  const candidates: readonly { slip: PathSlip; near: string }[] = [
    { slip: 'base-missing', near: base + path },
    { slip: 'extra-slash', near: tidy },
    { slip: isTwice ? 'base-twice' : 'prefix', near: rest },
    { slip: 'case', near: path.toLowerCase() },
    { slip: 'typo', near: mended },
    { slip: 'typo', near: base + mended },
  ]
  const found = candidates.find(({ near }) => findRoute(near))
  if (!found) return { kind: 'unknown-path', compared: cutPath(path || '/') }
  if (found.slip !== 'prefix') return { kind: 'near-path', ...found, base }
  return { kind: 'near-path', ...found, base, prefix: cutPath(path.slice(0, start)) }
}

function findWord(segment: string): string {
  return findNear(segment, words)[0] ?? segment
}
