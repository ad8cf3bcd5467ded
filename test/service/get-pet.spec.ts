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

  it('says nothing of the removal with sunset-header=none', async () => {
    const api = await start({ pets: animals, assume: { 'sunset-header': 'none' } })
    expect((await api.ask('/v1/pets/2')).headers).not.toHaveProperty('sunset')
  })

  it('finds ids on either side of 2^53 and at the ends of int64', async () => {
    const ids = [9007199254740991, 9007199254740992n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n]
    const api = await start({ pets: ids.map((id) => ({ id, name: String(id), categoryId: id })) })
    for (const id of ids) expect((await api.ask(`/v1/pets/${id}`)).text).toBe(`{"id":${id},"name":"${id}","categoryId":${id}}`)
  })

  it.each([
    ['end-of-day', '2030-12-05T23:59:59Z', 200],
    ['end-of-day', '2030-12-06T00:00:00Z', 404],
    ['start-of-day', '2030-12-04T23:59:59Z', 200],
    ['start-of-day', '2030-12-05T00:00:00Z', 404],
  ] as const)('with removal-instant=%s, at %s it answers %i', async (choice, now, status) => {
    const api = await start({ pets: animals, now, frozen: true, assume: { 'removal-instant': choice } })
    const answer = await api.ask('/v1/pets/2')
    expect(answer.status).toBe(status)
    expect(answer.headers.date).toBe(new Date(now).toUTCString())
    if (status === 404) expect(answer.headers).not.toHaveProperty('sunset')
    expect((await api.ask('/v1/pets')).status).toBe(200)
  })

  it('answers 410 once it is removed with removed-answer=gone', async () => {
    const api = await start({ pets: animals, now: '2031-01-01', assume: { 'removed-answer': 'gone' } })
    const answer = await api.ask('/v1/pets/2')
    expect(answer.json).toEqual({ code: 'Gone', message: 'getPet is no longer available; it was removed on 2030-12-05', status: 410 })
    expect(answer.headers['x-mock-assumption']).toBe('removed-answer')
  })

  it('goes away while the mock runs, when the clock passes its removal', async () => {
    const api = await start({ pets: animals, now: '2030-12-05T12:00:00Z', frozen: true })
    expect((await api.ask('/v1/pets/2')).status).toBe(200)
    expect(api.mock.control.requests()[0]?.assumptions).toEqual(['removal-instant', 'sunset-header'])
    api.mock.control.clock.advance('PT12H')
    expect((await api.ask('/v1/pets/2')).status).toBe(404)
    expect((await api.ask({ method: 'HEAD', target: '/v1/pets/2' })).status).toBe(404)
  })
})
