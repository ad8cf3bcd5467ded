import { describe, expect, it } from 'vitest'
import { brief } from '../../test/support/brief.ts'
import { UsageError } from '../contract/errors.ts'
import { resolveDocument } from './open.ts'
import { readDocument } from './read.ts'

/** Every problem of a text, as a tester sees them; there must be one. */
async function findProblems(text: string, file: string): Promise<readonly string[]> {
  try {
    const { value, ...parsed } = await readDocument(text, file)
    await resolveDocument(value, parsed)
    throw new Error('there is no problem')
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.problems.map(brief)
  }
}

describe('a scenario document', () => {
  const pets = [{ id: 9007199254740993n, name: 'Rex', categoryId: -9223372036854775808n }]

  it.each([
    [
      'a.yaml',
      'now: 2030-12-06T00:00:00Z\npets:\n  - { id: 9007199254740993, name: Rex, categoryId: -9223372036854775808 }\n',
    ],
    [
      'a.json.yml',
      '%YAML 1.1\n---\nnow: 2030-12-06T00:00:00Z\npets: [{id: 9007199254740993, name: Rex, categoryId: -9223372036854775808}]',
    ],
    [
      'a.json',
      '{"now":"2030-12-06T00:00:00Z","pets":[{"id":9007199254740993,"name":"Rex","categoryId":-9223372036854775808}]}',
    ],
    [
      'a.json',
      '{\n\t"now": "2030-12-06T00:00:00Z",\n\t"pets": [{"id": 9007199254740993, "name": "\\u0052ex", "categoryId": -9223372036854775808}]\n}',
    ],
  ])('in %s keeps dates as text and integers exact', async (file, text) => {
    expect((await readDocument(text, file)).value).toEqual({ now: '2030-12-06T00:00:00Z', pets })
  })

  it.each(['a.json', 'a.yaml'])(
    'in %s may start with a byte order mark, which shifts no line numbers',
    async (file) => {
      expect((await readDocument('\ufeff{"name":"a"}', file)).value).toEqual({ name: 'a' })
      expect(await findProblems('\ufeff{\n"name":1}', file)).toEqual([
        `${file}:${file === 'a.yaml' ? '2' : ''} mismatch name 1`,
      ])
    },
  )

  it('has small integers as plain numbers', async () => {
    expect(
      (
        await readDocument(
          '{ nextId: 0x10, random: -3, faults: [{ operation: "*", status: 500, rate: 1.0 }] }',
          'a.yaml',
        )
      ).value,
    ).toEqual({ nextId: 16, random: -3, faults: [{ operation: '*', status: 500, rate: 1 }] })
  })

  it('in YAML may nest 64 levels deep', async () => {
    expect(await findProblems(`${'- '.repeat(64)}0`, 'a.yaml')).toEqual([
      'a.yaml:1 mismatch pets[0] a list of 1',
    ])
    expect(await findProblems(`${'- '.repeat(65)}0`, 'a.yaml')).toEqual([
      'a.yaml:1 syntax expected at most 64 levels, got more',
    ])
  })
})

describe('the report on a scenario document', () => {
  it('names every problem of a YAML file with its line, from top to bottom', async () => {
    const text = [
      'name: sold-out',
      'pets:',
      '  - id: 1',
      '    name: Rex',
      '    categoryId: 1',
      '    status: gone',
      '  - { id: 1.5, name: 3, colour: red }',
      'colour: red',
      'assume: { paging: all }',
      'faults:',
      '  - operation: nope',
      '    rate: 2',
      'generate: { count: -1, status: { gone: 1 } }',
    ].join('\n')
    expect(await findProblems(text, 'sold-out.yaml')).toEqual([
      'sold-out.yaml:6 mismatch pets[0].status "gone"',
      'sold-out.yaml:7 mismatch pets[1].id 1.5',
      'sold-out.yaml:7 mismatch pets[1].name 3',
      'sold-out.yaml:7 missing pets[1].categoryId',
      'sold-out.yaml:7 unknown-field pets[1].colour',
      'sold-out.yaml:8 unknown-field colour',
      'sold-out.yaml:9 mismatch assume.paging "all"',
      'sold-out.yaml:11 mismatch faults[0].operation "nope"',
      'sold-out.yaml:11 mismatch faults[0] none of them',
      'sold-out.yaml:12 mismatch faults[0].rate 2 near 0.02',
      'sold-out.yaml:13 mismatch generate.count -1',
      'sold-out.yaml:13 unknown-field generate.status.gone',
    ])
  })

  it.each<[string, string, string[]]>([
    ['an empty file', '', ['a.yaml:1 mismatch scenario null']],
    ['a list of something else than animals', '- 1', ['a.yaml:1 mismatch pets[0] 1']],
    [
      'an alias',
      'name: &a x\ndescription: *a',
      ['a.yaml:2 syntax expected plain data, got an alias'],
    ],
    ['an alias to nothing', 'pets:\n  - *a', ['a.yaml:2 syntax expected plain data, got an alias']],
    ['a field called __proto__', '__proto__: { name: x }', ['a.yaml:1 unknown-field __proto__']],
    ['a merge key', 'name: x\n<<: { name: y }', ['a.yaml:2 unknown-field <<']],
    ['a tag', 'name: !!str 1', ['a.yaml:1 syntax expected plain data, got a tag']],
    ['an unknown tag', '!foo\nname: x', ['a.yaml:2 syntax expected plain data, got a tag']],
    ['a tag on a key', '!!str name: x', ['a.yaml:1 syntax expected plain data, got a tag']],
    ['a key that comes again', 'name: x\nname: x', ['a.yaml:2 syntax Map keys must be unique']],
    ['half of a surrogate pair', 'name: "\\ud800"', ['a.yaml:1 mismatch name "\\ud800"']],
    [
      'two documents',
      'name: x\n---\nname: y',
      ['a.yaml:2 syntax expected one document, got another'],
    ],
    [
      'a tab for an indentation',
      'pets:\n\t- 1',
      ['a.yaml:2 syntax Tabs are not allowed as indentation'],
    ],
    [
      'a key that is not text',
      '? { a: 1 }\n: 2',
      ['a.yaml:1 syntax With stringKeys, all keys must be strings'],
    ],
    [
      'an integer of 65 bits',
      'nextId: 9223372036854775809',
      ['a.yaml:1 mismatch nextId 9223372036854775809'],
    ],
    ['an infinite number', 'nextId: .inf', ['a.yaml:1 mismatch nextId a number out of range']],
  ])('names %s', async (_, text, problems) => {
    expect(await findProblems(text, 'a.yaml')).toEqual(problems)
  })

  it.each<[string, string, string[]]>([
    [
      'a wrong value',
      '{\n "pets": [\n  { "id": "1", "name": "a", "categoryId": 1 }\n ]\n}',
      ['a.json: mismatch pets[0].id "1"'],
    ],
    [
      'a key that comes again',
      '{"name": "a",\n"name": "b",\n"pets": [],\n"pets": []}',
      ['a.json:2 syntax the key "name" is repeated 1'],
    ],
    ['text that is not JSON', '{"name": "a",\n}', ['a.json:2 syntax unexpected "}" 1']],
    [
      'too many keys',
      `{${Array.from({ length: 10_001 }, (_, key) => `"${key}":0`)}}`,
      [expect.stringMatching(/more than 10000 keys/)],
    ],
    ['a comment, which only YAML has', '{} # so', ['a.json:1 syntax unexpected "#" 4']],
  ])('names %s in a JSON file', async (_, text, problems) => {
    expect(await findProblems(text, 'a.json')).toEqual(problems)
  })

  it.each([
    ['brackets', '['.repeat(2 ** 20)],
    ['braces', '{a: '.repeat(2 ** 18)],
    ['dashes', '- '.repeat(2 ** 19)],
    ['question marks', '? '.repeat(2 ** 19)],
    [
      'indentation',
      Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
    ],
  ])('comes at once for a text with too many levels: %s', async (_, text) => {
    expect(await findProblems(text, 'a.yaml')).toEqual([
      expect.stringMatching(/^a\.yaml:\d+ syntax expected at most 64 levels, got more$/),
    ])
  })
})
