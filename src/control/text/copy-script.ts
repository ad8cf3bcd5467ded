// A logged request as a call of fetch, or as a test. Any web page can plant requests in the log, so
// their text must not become code, and an editor must show all of it.
import { isBodiless } from '../../contract/address.ts'
import { escapeCharacter, UNSAFE } from '../../contract/escape.ts'
import { printStatus } from '../print-status.ts'
import { type CommandRequest, hasType, type TestedRequest } from './copy-logged.ts'
import { pathOf } from './resolve-target.ts'

export function renderFetch(request: CommandRequest): string {
  const url = quoteForScript(request.mockUrl + pathOf(request.target))
  return `await fetch(${url}${renderOptions(request, '')})`
}

export function renderTests(requests: readonly TestedRequest[]): string {
  const isOne = requests.length === 1
  const names = isOne ? 'expect, it' : 'describe, expect, it'
  const lines = [
    `import { mockStore } from 'animal-store-mock/vitest'`,
    `import { ${names} } from 'vitest'`,
    '',
  ]
  const render = isOne ? renderTest : renderNamed
  for (const request of requests) lines.push(render(request))
  return lines.join('\n')
}

function renderNamed(request: TestedRequest): string {
  const test = renderTest(request).replace(/^(?=.)/gm, '  ')
  return `describe(${quoteForScript(request.about)}, () => {\n${test}})\n`
}

function renderTest(request: TestedRequest): string {
  const { operation, method, status, options, earlier = [] } = request
  const path = pathOf(request.target)
  const name = `${operation ?? `${method} ${path}`} gets ${printStatus(status)}`
  const call = renderStoreCall(request)
  const given = Object.keys(options).length === 0 ? '' : renderLiteral(options)
  const lines = [
    `const store = mockStore(${given})`,
    '',
    `it(${quoteForScript(name)}, async () => {`,
    '  // Call your own code here instead.',
    ...earlier.map((one) => `  await ${renderStoreCall(one)}`),
  ]
  if (status === 0) {
    lines.push(`  await expect(${call}).rejects.toThrow()`)
  } else {
    lines.push(`  const response = await ${call}`)
    lines.push(`  expect(response.status).toBe(${status})`)
  }
  if (operation !== null) {
    // Those before it may have been the same.
    const times = earlier.length === 0 ? ', times: 1' : ''
    const received = status === 0 ? '' : `, { status: ${status}${times} }`
    lines.push(`  await expect(store).toHaveReceived(${quoteForScript(operation)}${received})`)
  }
  lines.push('})', '')
  return lines.join('\n')
}

/** To the store of the test. */
function renderStoreCall(request: CommandRequest): string {
  const url = `new URL(store.url).origin + ${quoteForScript(pathOf(request.target))}`
  return `fetch(${url}${renderOptions(request, '  ')})`
}

function renderOptions(request: CommandRequest, indent: string): string {
  const { method, headers, body } = request
  const fields: string[] = []
  if (method !== 'GET') fields.push(`method: ${quoteForScript(method)}`)
  if (Object.keys(headers).length > 0) fields.push(`headers: ${renderLiteral(headers)}`)
  if (body !== '' && !isBodiless(method)) {
    const literal = quoteForScript(body)
    // fetch adds a Content-Type to a text.
    const sent = hasType(request) ? literal : `new TextEncoder().encode(${literal})`
    fields.push(`body: ${sent}`)
  }
  if (fields.length === 0) return ''
  const lines = fields.map((field) => `${indent}  ${field},\n`)
  return `, {\n${lines.join('')}${indent}}`
}

/** A string literal without characters that an editor would hide or reorder. */
export function quoteForScript(text: string): string {
  const escaped = text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')
  return `'${escaped.replace(UNSAFE, escapeCharacter)}'`
}

export function renderLiteral(value: unknown): string {
  if (typeof value === 'string') return quoteForScript(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(renderLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `${renderName(name)}: ${renderLiteral(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** Unquoted, `__proto__` would set the prototype. */
function renderName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z]\w*$/.test(name) ? name : quoteForScript(name)
}
