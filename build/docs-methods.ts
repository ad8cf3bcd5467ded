// The tables of control methods, from their declarations.
import type { ControlMethod } from '../src/control/control.ts'
import { readDeclarations, simplifyType } from './docs-source.ts'
import { TYPES } from './docs-types.ts'
import { code, type Row } from './markdown.ts'
import type { Member } from './read-source.ts'

/** What each control method is for, in the order of the tables. */
const PURPOSES = {
  summary: 'the state',
  state: 'the state',
  diff: 'the state',
  load: 'the state',
  reset: 'the state',
  scenarios: 'the state',
  'pets.list': 'animals',
  'pets.get': 'animals',
  'pets.add': 'animals',
  'pets.update': 'animals',
  'pets.remove': 'animals',
  'faults.list': 'faults',
  'faults.add': 'faults',
  'faults.remove': 'faults',
  'faults.clear': 'faults',
  held: 'faults',
  release: 'faults',
  'latency.get': 'faults',
  'latency.set': 'faults',
  'keys.get': 'API keys',
  'keys.set': 'API keys',
  'clock.get': 'the clock',
  'clock.set': 'the clock',
  'clock.advance': 'the clock',
  'clock.freeze': 'the clock',
  requests: 'the timeline',
  timeline: 'the timeline',
  undo: 'the timeline',
  rewind: 'the timeline',
  verify: 'the timeline',
  whatIf: 'the timeline',
  makeReal: 'the timeline',
  clearRequests: 'the timeline',
  recording: 'the timeline',
  openRecording: 'the timeline',
  assumptions: 'open questions',
  assume: 'open questions',
  coverage: 'open questions',
  sandboxes: 'sandboxes',
  removeSandbox: 'sandboxes',
} as const satisfies Readonly<Record<ControlMethod, string>>

export const purposes = [...new Set(Object.values(PURPOSES))]

/** Methods of the control without a route, beside those of a group. */
const WITHOUT_ROUTE: Readonly<Record<string, readonly string[]>> = {
  sandboxes: ['sandbox', 'subscribe', 'call'],
}

/** Types that another page explains. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  Scenario: 'scenarios.md#fields',
  LiveFault: 'faults.md#fields-of-a-fault',
  TimelineRow: 'timeline.md#rows',
  WhatIfOnwardAlternative: 'what-if.md#what-you-can-change',
}

export function listMethods(purpose: string): readonly Row[] {
  const rows: Row[] = [['method', 'returns', 'does']]
  for (const name of namesFor(purpose)) rows.push(describeMethod(name))
  return rows
}

function namesFor(purpose: string): string[] {
  const names = Object.entries(PURPOSES).filter(([, one]) => one === purpose)
  return [...names.map(([name]) => name), ...(WITHOUT_ROUTE[purpose] ?? [])]
}

function describeMethod(name: string): Row {
  const [first, ...others] = findMethod(name)
  const returned = new Set<string>()
  for (const { type } of [first, ...others]) returned.add(simplifyType(type.replace(/ & .*/, '')))
  const type = code([...returned].join(' | '))
  const page = findPage(type)
  const call = code(`${name}(${first.parameters?.join(', ')})`)
  return [call, page === undefined ? type : `[${type}](${page})`, first.comment]
}

/** The page that explains a type. */
function findPage(type: string): string | undefined {
  const described = Object.keys(TYPES).find((one) => type.includes(one))
  if (described !== undefined) return `appendix/types.md#${described.toLowerCase()}`
  return ELSEWHERE[type.replaceAll(/\W/g, '')]
}

/**
 * The declarations of a control method: of `pets.add` the first `add` after `pets`, and its
 * overloads.
 */
function findMethod(name: string): readonly [Member, ...Member[]] {
  const { members } = readDeclarations('control/control.ts')
  const parts = name.split('.')
  const group = parts.length === 1 ? 0 : members.findIndex((member) => member.name === parts[0])
  const start = members.findIndex(
    (member, index) => index >= group && member.name === parts.at(-1) && member.parameters,
  )
  const end = members.findIndex((member, index) => index > start && member.name !== parts.at(-1))
  const [first, ...others] = members.slice(start, end)
  if (!first?.comment) throw new Error(`${name} has no comment`)
  return [first, ...others]
}
