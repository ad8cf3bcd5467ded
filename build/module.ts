// The one way to write a module of src/generated.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the module of that name in the project at `root`; `source` is what it is made from. */
export function writeModule(root: string, name: string, source: string, ...parts: readonly string[]): void {
  const head = `// Made by \`npm run build\` from ${source}: change that, not this.`
  writeFileSync(join(root, `src/generated/${name}.ts`), `${[head, ...parts].join('\n\n')}\n`)
}

/** A value as JavaScript: JSON, but with bigints. */
export function toLiteral(value: unknown): string {
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `\0${item}n` : item), 2)
  return text.replace(/"\\u0000(-?\d+n)"/g, '$1')
}
