import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../contract/int64-json.ts'
import type { Scenario } from '../../world/situation.ts'
import { UNSAFE } from '../text.ts'
import { fileName, renderScenario } from './save-scenario.ts'

describe('a saved scenario', () => {
  it('has a line for each animal', () => {
    const scenario: Scenario = {
      name: 'two',
      pets: [
        { id: 9223372036854775807n, name: 'Rex', categoryId: 3, status: 'sold' },
        { id: 2, name: 'No', categoryId: 1 },
      ],
      faults: [],
      frozen: true,
    }
    expect(renderScenario(scenario)).toBe(`{
  "name": "two",
  "pets": [
    {"id":9223372036854775807,"name":"Rex","categoryId":3,"status":"sold"},
    {"id":2,"name":"No","categoryId":1}
  ],
  "faults": [],
  "frozen": true
}
`)
    expect(parseJson(renderScenario(scenario))).toEqual(scenario)
  })

  it('loads back whatever the names are, and hides nothing in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (names) => {
        const scenario: Scenario = { pets: names.map((name, id) => ({ id, name, categoryId: 1 })) }
        const text = renderScenario(scenario)
        expect(parseJson(text)).toEqual(scenario)
        expect(text.replaceAll('\n', '').search(UNSAFE)).toBe(-1)
      }),
    )
  })

  it.each([
    ['', 'scenario.json'],
    ['../../etc/passwd', 'etc-passwd.json'],
    ['.hidden', '_hidden.json'],
    ['a<>"|b', 'a-b.json'],
    ['x'.repeat(200), `${'x'.repeat(80)}.json`],
  ])('of the name %j is in %s', (name, file) => {
    expect(fileName(name)).toBe(file)
  })
})
