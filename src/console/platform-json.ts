// What the page needs of `contract/int64-json.ts`, by the browser's own JSON, which can keep 64-bit integers as Node 20's cannot; those of
// before 2025 round them. The bundler puts it in the place of the other.
import type * as int64Json from '../contract/int64-json.ts'

export * from '../contract/int64-json.ts'

const platform = JSON as unknown as {
  parse(text: string, revive: (name: string, value: unknown, context?: { readonly source: string }) => unknown): int64Json.Json
  rawJSON?(text: string): unknown
}

export class JsonError extends Error {}

export const parseJson: typeof int64Json.parseJson = (text) => {
  try {
    return platform.parse(text, (_, value, { source } = { source: '' }) =>
      typeof value === 'number' ? (parseInt64(source) ?? value) : value,
    )
  } catch (error) {
    throw new JsonError(`The JSON is invalid: ${(error as Error).message}`)
  }
}

export const tryJson: typeof int64Json.tryJson = (text = '') => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

export const toJson: typeof int64Json.toJson = (value, indent) =>
  JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? (platform.rawJSON?.(String(field)) ?? Number(field)) : field), indent)

export const parseInt64: typeof int64Json.parseInt64 = (text) => {
  const value = /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || BigInt.asIntN(64, value) !== value) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
