// The page of types: what readers of JSON meet. Editors show the others.
import type { Problem } from '../src/contract/problem.ts'
import { readDeclarations, readMembers, simplifyType } from './docs-source.ts'
import { code, type Row, renderPage, renderTable } from './markdown.ts'
import type { Member } from './read-source.ts'

/** A type by its file and name, with only some of its fields if they are named. */
type Source = readonly [file: string, name: string, fields?: readonly string[]]

/** What the methods take and return, each with the types that it extends. */
export const TYPES: Readonly<Record<string, readonly Source[]>> = {
  PetFilter: [['control/control.ts', 'PetFilter']],
  RequestFilter: [
    ['control/control.ts', 'RequestFilter'],
    ['world/row-filter.ts', 'LogFilter'],
  ],
  RequestRow: [
    ['world/row.ts', 'RowHead'],
    ['world/row.ts', 'RequestRow'],
  ],
  ChangeRow: [
    ['world/row.ts', 'RowHead'],
    ['world/row.ts', 'ChangeRow'],
  ],
  TimelineRow: [
    ['world/row.ts', 'TimelineRow'],
    ['world/row.ts', 'RowHead'],
  ],
  WhatIf: [
    ['world/row.ts', 'RowHead', ['id']],
    [
      'world/row.ts',
      'RequestRow',
      [
        'status',
        'outcome',
        'durationMs',
        'error',
        'problems',
        'assumptions',
        'faults',
        'notes',
        'response',
      ],
    ],
    ['control/control.ts', 'WhatIf'],
  ],
  Alternative: [
    ['control/control.ts', 'Alternative'],
    ['world/row.ts', 'RequestRow', ['status', 'outcome', 'error']],
  ],
  Onward: [['control/control.ts', 'Onward']],
  OnwardRow: [
    ['control/control.ts', 'OnwardRow'],
    ['control/control.ts', 'OnwardRequest'],
  ],
}

/** Fields that the comment of their type explains, in the words of a table. */
const MEANINGS: Readonly<Record<string, string>> = {
  'RequestFilter.sandbox': 'The requests of all sandboxes, and of the shared state.',
  'Alternative.change': 'The change, as `whatIf` takes it.',
}

/** What each kind of problem means, and the fields that it has. */
const PROBLEMS: Readonly<Record<Problem['kind'], readonly [fields: string, meaning: string]>> = {
  missing: ['`path`', 'A required field is missing.'],
  mismatch: [
    '`path`, `expected`, `got?`, `choices?`, `near?`, `advice?`',
    'A value is not what was expected.',
  ],
  'unknown-field': [
    '`path`, `name`, `known`, `near?`',
    'A field is unknown; `known` lists the valid ones.',
  ],
  'duplicate-id': [
    '`path`, `id`, `also`',
    'Two animals have the same id; `also` is the path of the other one.',
  ],
  syntax: ['`of?`, `found`, `line?`, `column?`', 'A body or file is not valid JSON or YAML.'],
  'unknown-path': ['`compared`', 'The API does not have this path.'],
  'near-path': [
    '`slip`, `near`, `base`, `prefix?`',
    'The API does not have this path, but has a similar one, `near`.',
  ],
  'not-found': ['`what`, `id`', 'There is nothing with this id.'],
  'too-large': ['`maxBytes`', 'The body is too large.'],
  fault: ['`status`, `reason`', 'A fault or `Prefer` asked for this error.'],
  text: ['`path?`, `text`', 'Anything else, as a sentence.'],
  more: ['–', 'There are more problems than a message names.'],
}

/** What a page says below the table of a type. */
const NOTES: Readonly<Record<string, string>> = {
  TimelineRow:
    "If its `type` is `'request'`, it is a [RequestRow](#requestrow); " +
    "if it is `'change'`, a [ChangeRow](#changerow).",
}

export function renderTypes(): string {
  const types: string[] = []
  for (const [name, sources] of Object.entries(TYPES)) types.push(...renderType(name, sources))
  const problems: Row[] = [['kind', 'has', 'means']]
  for (const [kind, texts] of Object.entries(PROBLEMS)) problems.push([code(kind), ...texts])
  return renderPage([
    '# Appendix: types',
    'The JSON that [control methods](../control.md) return. Your editor knows the other types. ' +
      '`?` marks a field that can be absent.',
    'Other pages have [Scenario](../scenarios.md#fields), ' +
      '[LiveFault](../faults.md#fields-of-a-fault) and [events](../requests.md#events).',
    ...types,
    '## Problem',
    'One reason for a refusal, as data. A `path` is like `pets[3].status`; it is empty for a ' +
      'whole body. Some have `at`, a file with its line, or `caller`, the function, flag or ' +
      'variable that got something wrong.',
    renderTable(problems),
  ])
}

function renderType(title: string, sources: readonly Source[]): string[] {
  const rows: Row[] = [['field', 'type', 'meaning']]
  for (const source of sources) {
    for (const member of listMembers(source)) rows.push(describeMember(title, member))
  }
  const parts = [`## ${title}`, findComment(title, sources), renderTable(rows)]
  const note = NOTES[title]
  if (note !== undefined) parts.push(note)
  return parts
}

/** The comment of the type itself, in whichever of the files it is. */
function findComment(title: string, sources: readonly Source[]): string {
  for (const [file] of sources) {
    const found = readDeclarations(file).exported.find(({ name }) => name === title)
    if (found) return found.comment
  }
  return ''
}

function listMembers([file, name, fields]: Source): readonly Member[] {
  const members = readMembers(file, name)
  if (!fields) return members
  const gone = fields.find((field) => !members.some((member) => member.name === field))
  if (gone) throw new Error(`${name} has no ${gone}`)
  return members.filter((member) => fields.includes(member.name))
}

function describeMember(title: string, member: Member): Row {
  const { name, type, parameters, isOptional } = member
  const meaning = member.comment || MEANINGS[`${title}.${name}`]
  if (!meaning) throw new Error(`${title}.${name} has no comment`)
  const call = parameters ? `${name}(${parameters.join(', ')})` : name
  const isMaybe = parameters && type.endsWith('| undefined')
  const returned = isMaybe ? `${simplifyType(type)} | undefined` : simplifyType(type)
  return [code(isOptional ? `${call}?` : call), code(returned), meaning]
}
