import { expect, it } from 'vitest'
import { createThreadedYamlReader } from './yaml-thread.ts'

const LONG = `name: ${'x'.repeat(20_000)}`

it('gives up on a text that takes too long, and on its lines', async () => {
  const reader = createThreadedYamlReader({ maxMs: 50, script: new URL('data:text/javascript,for(;;);') })
  expect(await reader.read(LONG)).toEqual({
    value: undefined,
    syntaxErrors: [{ line: 1, message: 'takes too long to read as YAML; use JSON instead' }],
    problems: [],
  })
  expect(await reader.findLines(LONG, ['name', 'pets[1]'])).toEqual([1, 1])
})

it('reads a short text at once', async () => {
  const reader = createThreadedYamlReader({ maxMs: 50, script: new URL('data:text/javascript,for(;;);') })
  expect((await reader.read('name: Rex')).value).toEqual({ name: 'Rex' })
})

it('fails where the thread ends without a result', async () => {
  await expect(createThreadedYamlReader({ script: new URL('data:text/javascript,') }).read(LONG)).rejects.toThrow('without a result')
})
