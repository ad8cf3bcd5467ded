import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'

const ids = [7, 9007199254740993n, 4611686018427387905n]
const pets = ids.map((id) => ({ id, name: 'Rex', categoryId: 1 }))
const headers = { authorization: 'Bearer any-key' }

function notesOf(id: string): readonly string[] | undefined {
  const { answer, control } = createMock({ pets })
  answer({ method: 'GET', target: `/v1/pets/${id}`, headers })
  // The animal was there when the request came.
  control.reset()
  control.pets.remove(9007199254740993n)
  return control.timeline().flatMap((row) => (row.type === 'request' ? row.notes : []))
}

it.each([
  ['9007199254740992', '9007199254740993'],
  [String(Number(4611686018427387905n)), '4611686018427387905'],
])('the id %s gets a note, since a client may have rounded %s', (sent, exact) => {
  const rounded = BigInt(Number(exact)).toString()
  expect([sent, rounded, String(Number(sent))]).toContain(sent)
  expect(notesOf(sent)).toEqual([`${sent} was sent; ${exact} exists: rounded by the client?`])
})

it.each(['8', '9007199254740991', '9007199254740993', '9007199254740996', 'x'])(
  'the id %s gets none',
  (sent) => {
    expect(notesOf(sent)).toEqual([])
  },
)
