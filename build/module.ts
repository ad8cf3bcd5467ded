// The one way to write a generated module. Each room of src/ has its own in a folder `generated`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes `contract/generated/paths.ts` for `contract/paths`, in the project at `root`; `source` is
 * what it is made from.
 */
export function writeModule(
  root: string,
  name: string,
  source: string,
  ...parts: readonly string[]
): void {
  const head = `// Made by \`npm run build\` from ${source}: change that, not this.`
  const [room, module] = name.split('/')
  const path = join(root, `src/${room}/generated/${module}.ts`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${[head, ...parts].join('\n\n')}\n`)
}

/** A declaration with its doc comment. */
export function withComment(comment: string, declaration: string): string {
  return `/** ${comment} */\n${declaration}`
}

/** A value as JavaScript: JSON, but with bigints. */
export function toLiteral(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, item) => (typeof item === 'bigint' ? `\0${item}n` : item),
    2,
  )
  return text.replace(/"\\u0000(-?\d+n)"/g, '$1')
}
