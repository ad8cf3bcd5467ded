// What an editor shows to users of the package: every public name, option and method has a comment,
// and every option names its default. Read from the declarations of the last build.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { entryPoints } from '../../build/entry-points.ts'
import { type Exported, readSource } from '../../build/read-source.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const sources = new Map<string, ReturnType<typeof readSource>>()

/** The public declarations of an entry, with those that it exports from other modules. */
function readEntry(file: string): Exported[] {
  const source = sources.get(file) ?? readSource(file)
  sources.set(file, source)
  const { exported, passedOn } = source
  const others = passedOn.flatMap(({ name, from }) =>
    readEntry(join(dirname(file), from.replace(/\.cjs$/, '.d.cts'))).filter(
      (one) => one.name === name,
    ),
  )
  return [...others, ...exported]
}

const declared = entryPoints.flatMap(({ module }) =>
  readEntry(join(root, module.replace(/^src\/(.*)\.ts$/, 'dist/types/$1.d.ts'))),
)

it('every public name has a comment', () => {
  expect(declared.length).toBeGreaterThan(30)
  expect(declared.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([])
})

it('every field and method of a public type has a comment', () => {
  const fields = declared.flatMap(({ name, members }) =>
    members.map((member) => ({ ...member, name: `${name}.${member.name}` })),
  )
  expect(fields.length).toBeGreaterThan(100)
  // The constructor and the name of an error say nothing to users.
  expect(
    fields
      .filter(({ name, comment }) => comment === '' && !/Error\.(constructor|name)$/.test(name))
      .map(({ name }) => name),
  ).toEqual([])
})

it('every option names its default', () => {
  const options = declared.filter(({ name }) => name.endsWith('Options'))
  const silent = options.flatMap(({ name, members }) =>
    members
      .filter(({ isOptional, default: preset }) => isOptional && preset === undefined)
      .map((member) => `${name}.${member.name}`),
  )
  expect(options.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['MockOptions', 'HandlerOptions', 'ServeOptions', 'GenerateOptions']),
  )
  expect(silent).toEqual([])
})

it('every function has an example', () => {
  const functions = declared.filter(({ name }) => /^(create|serve|generate|load|expand)/.test(name))
  expect(functions.map(({ name }) => name)).toContain('createMock')
  expect(
    functions.filter(({ comment }) => !comment.includes('@example')).map(({ name }) => name),
  ).toEqual([])
})
