// The page of types: what readers of JSON meet. Editors show the others.
import type { Problem } from '../src/contract/problem.ts'
import { readDeclarations, readMembers, simplifyType } from './docs-source.ts'
import { code, type Row, renderPage, renderTable } from './markdown.ts'
import type { Member } from './read-source.ts'

/** A type by its file and name. */
type Source = readonly [file: string, name: string]

/** What the methods return, each with the types that it extends. */
export const TYPES: Readonly<Record<string, readonly Source[]>> = {
  RequestRow: [
    ['world/row.ts', 'RowHead'],
    ['world/row.ts', 'RequestRow'],
  ],
  ChangeRow: [['world/row.ts', 'ChangeRow']],
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
  ChangeRow: 'It has the `id`, `at`, `realAt` and `sandbox` of a [RequestRow](#requestrow) too.',
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
    'One reason for an error, as data. A `path` is like `pets[3].status`; it is empty for a ' +
      'whole body. Some have `at`, a file with its line, or `caller`, the function, flag or ' +
      'variable that got something wrong.',
    renderTable(problems),
  ])
}

function renderType(title: string, sources: readonly Source[]): string[] {
  const rows: Row[] = [['field', 'type', 'meaning']]
  for (const [file, name] of sources) {
    for (const member of readMembers(file, name)) rows.push(describeMember(title, member))
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

function describeMember(title: string, member: Member): Row {
  const { name, type, parameters, isOptional } = member
  if (!member.comment) throw new Error(`${title}.${name} has no comment`)
  const call = parameters ? `${name}(${parameters.join(', ')})` : name
  const isMaybe = parameters && type.endsWith('| undefined')
  const returned = isMaybe ? `${simplifyType(type)} | undefined` : simplifyType(type)
  return [code(isOptional ? `${call}?` : call), code(returned), member.comment]
}
