// A request as a test for the Vitest kit: the same request to a fresh mock in the same situation, and what came of it.
import { type Json, parseJson } from '../../contract/int64-json.ts'
import type { CommandRequest } from './to-command.ts'
import { quoteForScript, toFetchOptions, toLiteral, toScriptPath } from './to-script.ts'

export interface TestedRequest extends CommandRequest {
  /** 0 if no response was sent. */
  readonly status: number
  readonly operation: string | null
  /** What the mock must be like: the faults that struck, and choices that are not the defaults. */
  readonly faults: readonly Readonly<Record<string, Json>>[]
  readonly assume: Readonly<Record<string, string>>
  /** The address of the API: a store answers unknown paths only below one that it is given. */
  readonly baseUrl: string
  /** The name of a shipped scenario, if it is loaded and not the default one. */
  readonly scenario: string | undefined
}

export function toKitTest(request: TestedRequest): string {
  const { operation, status, faults, scenario } = request
  const call = `fetch(new URL(store.url).origin + ${quoteForScript(toScriptPath(request.target))}${toFetchOptions(request, 1)})`
  const check =
    status === 0
      ? [`await expect(${call}).rejects.toThrow()`]
      : [`const response = await ${call}`, `expect(response.status).toBe(${status})`]
  const expected = toExpected(request)
  if (operation !== null) check.push(`await expect(store).toHaveReceived(${quoteForScript(operation)}, ${expected})`)
  const lines = [...faults.map((fault) => `store.control.faults.add(${toLiteral(fault)})`), '// Call your own code here instead.', ...check]
  return [
    ...(scenario === undefined ? [] : [`import { scenarios } from 'animal-store-mock/scenarios'`]),
    `import { mockStore } from 'animal-store-mock/vitest'`,
    `import { expect, it } from 'vitest'`,
    '',
    `const store = mockStore(${toOptions(request)})`,
    '',
    `it(${quoteForScript(toTitle(request))}, async () => {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

function toTitle({ operation, method, target, status }: TestedRequest): string {
  return `${operation ?? `${method} ${toScriptPath(target)}`} ${status === 0 ? 'gets no response' : `responds ${status}`}`
}

function toOptions({ operation, baseUrl, scenario, assume }: TestedRequest): string {
  const parts = operation === null ? [`baseUrl: ${quoteForScript(baseUrl)}`] : []
  if (scenario !== undefined) parts.push(`scenario: scenarios[${quoteForScript(scenario)}]`)
  if (Object.keys(assume).length > 0) parts.push(`assume: ${toLiteral(assume)}`)
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
}

/** What the matcher compares: the query and the body as far as they can be read, the status, and that it came once. */
function toExpected({ target, body = '', status }: TestedRequest): string {
  const query = [...new URLSearchParams(toScriptPath(target).split('?').slice(1).join('?'))]
  const isPlain = new Set(query.map(([name]) => name)).size === query.length
  const json = readObject(body)
  return toLiteral({
    ...(query.length > 0 && isPlain ? { query: fromPairs(query) } : {}),
    ...(json ? { body: json } : {}),
    ...(status === 0 ? {} : { status }),
    times: 1,
  })
}

/** Without a prototype, so that any name is a field. */
function fromPairs(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) values[name] = value
  return values
}

function readObject(text: string): Json | undefined {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
