// Globals of Node that a test environment may hide: Jest's jsdom has none of these. The CommonJS
// build takes them from here.

const isHidden = globalThis.TextDecoder === undefined

export const { TextDecoder, TextEncoder } = isHidden
  ? process.getBuiltinModule('node:util')
  : globalThis

/** Ours are of plain data only. */
export const structuredClone: typeof globalThis.structuredClone = isHidden
  ? (value) => JSON.parse(JSON.stringify(value))
  : globalThis.structuredClone
