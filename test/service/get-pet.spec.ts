import { expect, it } from 'vitest'
import { animals, misty } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

onEveryHost((start) => {
  it('answers with the animal, and announces the removal of the operation', async () => {
    const api = await start({ pets: animals })
    const answer = await api.ask('/v1/pets/2')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(misty)
    expect(answer.headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(answer.headers).not.toHaveProperty('deprecation')
  })

  it('finds ids on either side of 2^53 and at the ends of int64', async () => {
    const ids = [
      9007199254740991,
      9007199254740992n,
      9007199254740993n,
      9223372036854775807n,
      -9223372036854775808n,
    ]
    const api = await start({ pets: ids.map((id) => ({ id, name: String(id), categoryId: id })) })
    for (const id of ids)
      expect((await api.ask(`/v1/pets/${id}`)).text).toBe(
        `{"id":${id},"name":"${id}","categoryId":${id}}`,
      )
  })
})
