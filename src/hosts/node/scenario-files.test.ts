import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brief } from '../../../test/support/brief.ts'
import { UsageError } from '../../contract/errors.ts'
import { joinWords } from '../../contract/problem.ts'
import { createMock } from '../../mock/mock.ts'
import { scenarios } from '../../scenario/shipped.ts'
import { findScenario, readScenarioFile, readText } from './scenario-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenario-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** The problems, with the folder left out of them. */
async function findProblems(path: string): Promise<string[]> {
  const error = await readScenarioFile(path).catch((reason) => reason)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).problems.map((problem) =>
    brief(problem).replaceAll(`${folder}/`, ''),
  )
}

/** A recording whose first row creates an animal. */
function recordCreation(name: string): string {
  const { control } = createMock({ pets: [] })
  control.pets.add({ name, categoryId: 1 })
  control.pets.add({ name: 'Another', categoryId: 1 })
  return control.recording()
}

const SHIPPED = joinWords(Object.keys(scenarios), 'or')

describe('a scenario file', () => {
  it('may be a recorded list of animals', async () => {
    const pets = [{ id: 1, name: 'Rex', categoryId: 1 }]
    expect(await findScenario(write('a.json', JSON.stringify(pets)))).toEqual({ name: 'a', pets })
  })
})

describe('extends', () => {
  it('finds each file from the folder of the file that extends it', async () => {
    write(
      'parts/deeper/root.json',
      '{"pets": [{"id": 3, "name": "Rex", "categoryId": 1}], "apiKeys": ["k"]}',
    )
    write('parts/middle.yaml', 'extends: deeper/root.json\nfrozen: true')
    const path = write('a.yaml', 'extends: ./parts/middle.yaml\nnextId: 12')
    expect(await readScenarioFile(path)).toEqual({
      name: 'a',
      pets: [{ id: 3, name: 'Rex', categoryId: 1 }],
      apiKeys: ['k'],
      frozen: true,
      nextId: 12,
    })
  })

  it('finds files from the folder of a linked file, not of the link', async () => {
    write('real/base.yaml', 'frozen: true')
    write('real/a.yaml', 'extends: base.yaml')
    symlinkSync(join(folder, 'real/a.yaml'), join(folder, 'link.yaml'))
    expect(await readScenarioFile(join(folder, 'link.yaml'))).toEqual({
      name: 'link',
      frozen: true,
    })
  })

  it('takes the state before a row of a recording', async () => {
    write('parts/bug.jsonl', recordCreation('Rex'))
    expect(await readScenarioFile(write('a.yaml', 'extends: parts/bug.jsonl#2'))).toMatchObject({
      name: 'a',
      pets: [{ id: 1, name: 'Rex', categoryId: 1 }],
    })
    expect(await findProblems(write('b.yaml', 'extends: parts/bug.jsonl#9'))).toEqual([
      expect.stringContaining('Row 9'),
    ])
  })

  it('names the problems of an extended file by its own lines', async () => {
    write('parts/base.yaml', 'name: base\nfrozen: perhaps')
    expect(await findProblems(write('a.yaml', 'extends: parts/base.yaml'))).toEqual([
      'parts/base.yaml:2 mismatch frozen "perhaps"',
    ])
  })

  it.each([
    ['nowhere', `${SHIPPED}, or a file`],
    ['toString', `${SHIPPED}, or a file`],
    ['missing.yaml', 'a file that exists'],
    ['../outside.yaml', 'a file in the same folder or below'],
    ['../outside.jsonl#2', 'a file in the same folder or below'],
    ['parts/../../outside.yaml', 'a file in the same folder or below'],
    ['../..', 'a file in the same folder or below'],
    ['/etc/passwd.yaml', 'a file in the same folder or below'],
    ['FOLDER/inner/a.yaml', 'a file in the same folder or below'],
    ['link.yaml', 'a file in the same folder or below'],
    ['linked/outside.yaml', 'a file in the same folder or below'],
    ['a.yaml', 'a scenario that does not lead back to this one'],
  ])('refuses %s', async (name, expected) => {
    const wanted = name.replace('FOLDER', folder)
    write('outside.yaml', 'pets: []')
    const path = write('inner/a.yaml', `name: a\nextends: ${wanted}`)
    symlinkSync(join(folder, 'outside.yaml'), join(folder, 'inner/link.yaml'))
    symlinkSync(folder, join(folder, 'inner/linked'))
    await expect(readScenarioFile(path)).rejects.toMatchObject({
      problems: [{ path: 'extends', expected, got: JSON.stringify(wanted) }],
    })
  })

  it('refuses a circle of files', async () => {
    write('parts/b.yaml', 'extends: c.yaml')
    write('parts/c.yaml', 'frozen: true\nextends: b.yaml')
    expect(await findProblems(write('a.yaml', 'extends: parts/b.yaml'))).toEqual([
      'parts/c.yaml:2 mismatch extends "b.yaml"',
    ])
  })
})

describe('a scenario file that cannot be read', () => {
  it('is refused if it does not exist', async () => {
    for (const name of ['a.yaml', 'a.jsonl'])
      expect(await findProblems(join(folder, name))).toEqual([`${name}: no such file`])
    expect(await findProblems(`${write('b.yaml', 'pets: []')}#3`)).toEqual([
      expect.stringContaining('not a recording'),
    ])
    await expect(readText(join(folder, 'a.har'))).rejects.toThrow(UsageError)
  })

  it.runIf(existsSync('/proc/self/mem'))(
    'is refused with the error code of the system',
    async () => {
      // Its first page is not mapped.
      symlinkSync('/proc/self/mem', join(folder, 'a.yaml'))
      expect(await findProblems(join(folder, 'a.yaml'))).toEqual(['a.yaml: cannot be read (EIO)'])
    },
  )

  it('is refused if it is a folder', async () => {
    expect(await findProblems(folder)).toEqual([
      expect.stringContaining('expected a file, got a folder'),
    ])
  })

  it.each(['a.json', 'a.yaml', 'a.jsonl'])(
    'is refused in one line if %s is a recording, which has a state for each row',
    async (name) => {
      const path = write(name, recordCreation('Rex'))
      const problems = [expect.stringContaining(`as in ${name}#12`)]
      expect(await findProblems(path)).toEqual(problems)
      expect(await findProblems(write('b.yaml', `extends: ${name}`))).toEqual(problems)
      expect(await readScenarioFile(`${path}#2`)).toMatchObject({ pets: [{ name: 'Rex' }] })
    },
  )

  it('is refused if it is not UTF-8', async () => {
    expect(await findProblems(write('a.yaml', Uint8Array.of(0x61, 0x80)))).toEqual([
      'a.yaml: expected UTF-8',
    ])
  })
})
