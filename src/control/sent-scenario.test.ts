import { describe, expect, it } from 'vitest'
import { scenarios } from '../scenarios.ts'
import { readSentBody, readSentDocument, readSentName } from './sent-scenario.ts'

describe('a scenario that is sent', () => {
  const generate = (count: number) => ({ generate: { count } })

  it('may generate 100,000 animals on every way in', async () => {
    expect((await readSentDocument(generate(100_000))).pets).toHaveLength(100_000)
    for (const count of [100_001, 10_000_000]) {
      const problem = { kind: 'mismatch', path: 'generate.count', got: String(count) }
      const yaml = { file: 'a.yaml', text: `\ngenerate: { count: ${count} }` }
      const json = { file: 'a.json', text: JSON.stringify(generate(count)) }
      await expect(readSentDocument(generate(count))).rejects.toMatchObject({ problems: [problem] })
      await expect(readSentName(yaml)).rejects.toMatchObject({ problems: [{ ...problem, at: { file: 'a.yaml', line: 2 } }] })
      await expect(readSentName(json)).rejects.toMatchObject({ problems: [{ ...problem, at: { file: 'a.json' } }] })
    }
  })

  it('extends shipped scenarios alone', async () => {
    expect((await readSentName({ file: 'a.yaml', text: 'extends: single' })).pets).toEqual(scenarios.single.pets)
    await expect(readSentName({ file: 'a.yaml', text: 'extends: ./other.yaml' })).rejects.toMatchObject({
      problems: [{ kind: 'mismatch', path: 'extends', got: '"./other.yaml"' }],
    })
  })

  it('is at hand at once without extends and generate', () => {
    const document = { pets: [] }
    expect(readSentDocument(document)).toBe(document)
  })

  it('is a shipped one by name, or a text under the name of its file', async () => {
    expect(await readSentName({ name: 'single' })).toBe(scenarios.single)
    expect(await readSentName({ file: 'folder/a.b.yaml', text: 'pets: []' })).toEqual({ name: 'a.b', pets: [] })
    await expect(readSentName({ name: 'singel' })).rejects.toMatchObject({
      problems: [{ path: 'scenario', got: '"singel"', near: 'single' }],
    })
  })

  it('may not repeat a key', () => {
    const body = new TextEncoder().encode('{"pets":[],\n"pets":[]}')
    expect(() => readSentBody(body)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ kind: 'syntax', of: 'body', line: 2 })] }),
    )
  })
})
