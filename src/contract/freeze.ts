// Freezes data that many share, all the way down.
import { parseJson, toJson } from './int64-json.ts'

/** A frozen copy of data that JSON can hold; a clone by the platform would fail on a Proxy. */
export function freezeCopy<T>(value: T): T {
  return deepFreeze(parseJson(toJson(value)) as T)
}

/** The same plain data, frozen. */
export function deepFreeze<T>(value: T): T {
  // Frozen values, such as the animals that scenarios share, are frozen all the way down.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) deepFreeze(item)
  return value
}
