// What an editor shows to users of the package: every public name, option and method has a comment, and every option names its default.
// Read from the declarations of the last build.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { entryPoints } from '../../build/entry-points.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A public declaration, with the comment before it and the fields and methods in it. */
interface Declared {
  readonly name: string
  readonly comment: string
  readonly members: readonly { readonly name: string; readonly comment: string; readonly isOptional: boolean }[]
}

/** The comment, the kind, the name, and all up to the next one, public or not. */
const DECLARATION =
  /^((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)export (?:declare )?(interface|class|type|function|const) (\w+)([\s\S]*?)(?=^[\w/]|(?![\s\S]))/gm
const MEMBER = /^ {4}(?:readonly |static )?(['[\w.\]-]+)(\?)?[:(]/

function readEntry(file: string, names?: readonly string[]): Declared[] {
  const text = readFileSync(file, 'utf8')
  const passedOn = [...text.matchAll(/^export (?:type )?\{([^}]+)\} from '([^']+)'/gm)].flatMap(([, list = '', source = '']) =>
    readEntry(
      join(dirname(file), source.replace(/\.cjs$/, '.d.cts')),
      list.split(',').map((name) => name.trim().replace(/^type /, '')),
    ),
  )
  const own = [...text.matchAll(DECLARATION)]
    .filter(([, , , name = '']) => names?.includes(name) ?? true)
    .map(([, comment = '', kind = '', name = '', body = '']) => ({
      name,
      comment,
      members: /interface|class/.test(kind) ? readMembers(body) : [],
    }))
  return [...passedOn, ...own]
}

function readMembers(body: string): Declared['members'] {
  const lines = body.split('\n')
  return lines.flatMap((line, index) => {
    const [, name, mark] = MEMBER.exec(line) ?? []
    if (name === undefined || name === 'constructor') return []
    return [{ name, comment: commentBefore(lines, index), isOptional: mark === '?' }]
  })
}

function commentBefore(lines: readonly string[], index: number): string {
  if (!lines[index - 1]?.endsWith('*/')) return ''
  const start = lines.slice(0, index).findLastIndex((line) => line.includes('/**'))
  return lines.slice(start, index).join('\n')
}

const declared = entryPoints.flatMap(({ module }) => readEntry(join(root, module.replace(/^src\/(.*)\.ts$/, 'dist/types/$1.d.ts'))))

it('every public name has a comment', () => {
  expect(declared.length).toBeGreaterThan(30)
  expect(declared.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([])
})

it('every field and method of a public type has a comment', () => {
  const fields = declared.flatMap(({ name, members }) => members.map((member) => ({ ...member, name: `${name}.${member.name}` })))
  expect(fields.length).toBeGreaterThan(100)
  expect(fields.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([])
})

it('every option names its default', () => {
  const options = declared.filter(({ name }) => name.endsWith('Options'))
  const silent = options.flatMap(({ name, members }) =>
    members
      .filter(({ isOptional, comment }) => isOptional && !/default|instead of/i.test(comment))
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
  expect(functions.filter(({ comment }) => !comment.includes('@example')).map(({ name }) => name)).toEqual([])
})
