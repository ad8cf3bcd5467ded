import { describe, expect, it } from 'vitest'
import { allCommands, createProgram } from './commands.ts'
import { readPlainFlags } from './plain-flags.ts'
import type { ServeFlags } from './serve-flags.ts'

/** What commander makes of the same words. */
async function readWithCommander(args: readonly string[]): Promise<ServeFlags | undefined> {
  const program = createProgram()
  let flags: ServeFlags | undefined
  for (const command of allCommands(program)) {
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} }).action((...given) => {
      if (command.name() === 'serve' && command.args.length === 0) flags = given[0]
    })
  }
  await program.parseAsync(args, { from: 'user' }).catch(() => {})
  return flags
}

describe('readPlainFlags', () => {
  it.each([
    '',
    'serve',
    '--port 8080',
    '-p 0 --log silent',
    'serve -p 0 --log json --ready-file ./ready',
    '-s empty --sandbox',
    '--scenario ./situation.yaml --seed 7 --count 1000000',
    '--port 1 --port 2',
  ])('reads "%s" as commander does', async (line) => {
    const args = line.split(' ').filter((word) => word !== '')
    const flags = readPlainFlags(args, {})
    expect(flags).toBeDefined()
    expect(flags).toEqual(await readWithCommander(args))
  })

  it.each([
    'status',
    'serve extra',
    '--help',
    '--port',
    '--port x',
    '--port -1',
    '--port=8080',
    '-p8080',
    '--log loud',
    '--seed 1.5',
    '--seed -7',
    '--api-key a',
    '--unknown',
    '--sandbox yes',
    '--',
    '-s -p',
  ])('leaves "%s" to commander', (line) => {
    expect(readPlainFlags(line.split(' '), {})).toBeUndefined()
  })

  it('leaves it to commander to read variables', () => {
    expect(readPlainFlags([], { ANIMAL_STORE_PORT: '8080' })).toBeUndefined()
    expect(readPlainFlags([], { HOME: '/' })).toBeDefined()
  })
})
