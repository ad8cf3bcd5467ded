// The one reader of `$ref` in spec/openapi.yaml.

/** A piece of parsed YAML. */
export type Yaml = Record<string, unknown>

/** The part of the document that a `$ref` points to; any other part is returned as it is. */
export function dereference<Part extends object>(document: object, part: Part): Part {
  if (!('$ref' in part)) return part
  const path = String(part.$ref).split('/').slice(1)
  const found = path.reduce<unknown>((node, name) => (node as Yaml | undefined)?.[name], document)
  if (found === undefined) throw new Error(`spec/openapi.yaml: ${part.$ref} points to nothing`)
  return dereference(document, found as Part)
}
