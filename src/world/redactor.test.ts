import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeKey } from '../contract/describe-value.ts'
import { MAX_KEY_CHARACTERS, MAX_LIST_ITEMS, MAX_LOGGED_BODY_CHARACTERS } from '../limits.ts'
import { createRedactor } from './redactor.ts'

const LONG = `${'0123456789abcdef'.repeat(4)}/the+rest=`

describe('createRedactor', () => {
  const secrets = ['s3cret/k', 's3cret/key+1=', 'short', 'a-second-secret', LONG]
  it.each([
    ['/v1/pets/s3cret/key+1=', '/v1/pets/…y+1='],
    ['?q=s3cret%2Fkey%2B1%3D&r=a-second-secret', '?q=…y+1=&r=…cret'],
    ['/a%2dsecond%2Dsecret/x%20y', '/…cret/x%20y'],
    ['%zz%ff%c3%28 a%2dsecond-secret', '%zz%ff%c3%28 …cret'],
    ['"s3cret\\/key+1=" "s3cret\\u002fkey\\u002B1\\u003d"', '"…y+1=" "…y+1="'],
    ['got "s3cret/key 1="', 'got "…y 1="'],
    ['Host: A-SECOND-SECRET.example', 'Host: …CRET.example'],
    ['s3cret/k s3cret/key+1= s3cret/k', '…et/k …y+1= …et/k'],
    ['aa-second-secretaa%2dsecond-secret%61', 'a…creta…cret%61'],
    ['%41-second-secret %%61-second-secret', '…cret %…cret'],
    ['a-second-secreta-second-secret', '…cret…cret'],
    ['short', 'short'],
    ['', ''],
    [`a ${LONG} b`, 'a …est= b'],
    [LONG, '…est='],
    [`a ${encodeURIComponent(LONG)}&b`, 'a …est=&b'],
    // It is hidden to the end of the word, whatever follows it.
    [`${LONG}${LONG}a-second-secret/x y`, '…et/x y'],
    // The beginning of a key is enough.
    [`${LONG.slice(0, 40)}" b`, '…4567" b'],
    [LONG.slice(0, 31), LONG.slice(0, 31)],
  ])('%j becomes %j', (text, shown) => expect(createRedactor(secrets)(text)).toBe(shown))
})

it('finds what a search for every spelling finds', () => {
  const token = fc.string({ unit: fc.constantFrom(...'aB-/+=1'), minLength: 8, maxLength: 12 })
  const spell = fc.constantFrom<(key: string) => string>(String, encodeURIComponent, (key) => key.replaceAll('/', '\\/'))
  const part = fc.oneof(fc.string({ unit: fc.constantFrom(...'aB-/+=1%\\uF\n"…', 'é'), maxLength: 8 }), fc.tuple(token, spell))
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 5 }), fc.array(part), (keys, parts) => {
      const hide = createRedactor(keys)
      // Each key is in the text in its turn.
      const text = parts.map((one, index) => (typeof one === 'string' ? one : one[1](keys[index % keys.length] as string))).join('')
      const shown = hide(text)
      for (const key of keys) {
        for (const spelling of [key, encodeURIComponent(key), key.replaceAll('/', '\\/')]) expect(shown).not.toContain(spelling)
      }
      // Where there is none, nothing changes.
      const plain = '" 1é"'.repeat(3)
      expect(hide(plain)).toBe(plain)
      if (keys.length === 1 && parts.length === 0) expect(hide(` ${keys[0]} `)).toBe(` ${describeKey(keys[0] as string)} `)
    }),
    { numRuns: 300 },
  )
})

it.each<[title: string, toKey: (index: number) => string, text: string]>([
  ['of one issuer', (index) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(index).padStart(800, 'x')}`, 'eyJhbGciOiJIUzI1NiIsInR5'],
  ['that differ at their ends', (index) => `${'a'.repeat(MAX_KEY_CHARACTERS - 10)}${index}`, 'a'.repeat(31)],
  ['of every length', (index) => `${'a'.repeat(index)}-b`, 'a'],
  ['that begin alike', (index) => `sk_test_${index}_abcdefgh`, 'sk_test_'],
  ['of plus signs', (index) => '+'.repeat(index), '%2B'],
])('takes hardly any time for the most keys that a state can have: keys %s', (_title, toKey, unit) => {
  const hide = createRedactor(Array.from({ length: MAX_LIST_ITEMS }, (_, index) => toKey(index)))
  const text = `${unit.repeat(MAX_LOGGED_BODY_CHARACTERS / unit.length)}!`
  const start = process.cpuUsage()
  hide(text)
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000)
})
