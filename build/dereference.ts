// The one reader of `$ref`: for the build, which compiles spec/openapi.yaml, and for the console, which shows it.

/** The part of the document that a `$ref` points to; any other part is returned as it is. */
export function dereference<Part extends object>(document: object, part: Part): Part {
  const seen = new Set<string>()
  let current: Part = part
  while ('$ref' in current && typeof current.$ref === 'string') {
    const { $ref } = current
    if (seen.has($ref)) throw new Error(`${$ref} points to itself`)
    seen.add($ref)
    current = find(document, $ref) as Part
  }
  return current
}

/** Local references only, as JSON pointers (RFC 6901). */
function find(document: object, ref: string): object {
  let node: unknown = ref.startsWith('#/') ? document : undefined
  for (const name of ref.slice(2).split('/')) node = toFields(node)[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (typeof node !== 'object' || node === null) throw new Error(`${ref} points to nothing`)
  return node
}

function toFields(node: unknown): Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null ? (node as Record<string, unknown>) : {}
}
