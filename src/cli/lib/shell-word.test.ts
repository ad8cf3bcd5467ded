import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { quoteWord } from './shell-word.ts'

it.each([
  ['run.jsonl', 'run.jsonl'],
  ['order@listPets#3', '"order@listPets#3"'],
  ['order@listPets?limit=100#1', '"order@listPets?limit=100#1"'],
  ['*=500&x', '"*=500&x"'],
  ['my file.json', '"my file.json"'],
  ['=x', '"=x"'],
  ['', '""'],
  ['a$b`c"d', `'a$b\`c"d'`],
  ["it's $5", "'it'\\''s $5'"],
])('the word %j is printed as %s, which a shell reads as that word', (word, printed) => {
  expect(quoteWord(word)).toBe(printed)
  const read = execFileSync('sh', ['-c', `printf %s ${printed}`], { encoding: 'utf8' })
  expect(read).toBe(word)
})
