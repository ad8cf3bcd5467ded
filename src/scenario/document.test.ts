import { expect, it } from 'vitest'
import { explainMistake, findShipped, isJsonFile, isScenarioFile } from './document.ts'

it.each([
  ['sold-out', false],
  ['yaml', false],
  ['a.yaml.txt', false],
  ['a.yaml', true],
  ['a.yml', true],
  ['A.YML', true],
  ['a.json', true],
  ['folder/sold-out', true],
  ['folder\\sold-out', true],
])('takes %j for a file: %j', (name, expected) => {
  expect(isScenarioFile(name)).toBe(expected)
})

it.each([
  ['a.json', true],
  ['a.JSON', true],
  ['a.json.yaml', false],
  ['json', false],
])('reads %j as JSON: %j', (name, expected) => {
  expect(isJsonFile(name)).toBe(expected)
})

it('finds shipped scenarios by own property names only', () => {
  const soldOut = { pets: [] }
  expect(findShipped({ 'sold-out': soldOut }, 'sold-out')).toBe(soldOut)
  expect(findShipped({}, 'constructor')).toBeUndefined()
})

it.each([
  ['a.yaml', 'scenario must be an object, not a file name: pass await loadScenario("a.yaml") from animal-store-mock/node'],
  [
    'sold-out',
    'scenario must be an object, not a name: pass scenarios["sold-out"] from animal-store-mock/scenarios, or await loadScenario("sold-out") from animal-store-mock/node',
  ],
])('says what to pass instead of %j', (value, message) => {
  expect(explainMistake(value)).toBe(message)
})

it('names the value as it is asked to, and explains nothing about objects', () => {
  expect(explainMistake('a.yaml', 'reset')).toMatch(/^reset must be an object, not a file name/)
  expect(explainMistake({ pets: [] })).toBeUndefined()
})
