import { expect, it } from 'vitest'
import { animals, bello, coco, herd, misty, rex } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

onEveryHost((start) => {
  it('lists animals by ascending id', async () => {
    const api = await start({ pets: [bello, misty, coco, rex] })
    const answer = await api.ask('/v1/pets')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      '[{"id":1,"name":"Rex","categoryId":1,"status":"available"},{"id":2,"name":"Misty","categoryId":2,"status":"sold"},' +
        '{"id":3,"name":"Coco","categoryId":3},{"id":4,"name":"Bello","categoryId":1,"status":"available"}]',
    )
  })

  it('lists nothing as an empty array', async () => {
    const api = await start({ pets: [] })
    expect(await api.ask('/v1/pets')).toMatchObject({ status: 200, text: '[]' })
  })

  it('lists 20 animals by default, and as many as the limit allows', async () => {
    const api = await start({ pets: herd(150) })
    const count = async (target: string) => ((await api.ask(target)).json as unknown[]).length
    expect(await count('/v1/pets')).toBe(20)
    expect(await count('/v1/pets?limit=1')).toBe(1)
    expect(await count('/v1/pets?limit=100')).toBe(100)
    expect(await count('/v1/pets?limit=%31%30')).toBe(10)
  })

  it('keeps only the animals of the status asked for, up to the limit', async () => {
    const api = await start({ pets: animals })
    expect((await api.ask('/v1/pets?status=available')).json).toEqual([rex, bello])
    expect((await api.ask('/v1/pets?status=available&limit=1')).json).toEqual([rex])
    expect((await api.ask('/v1/pets?status=sold')).json).toEqual([misty])
    expect((await api.ask('/v1/pets?status=pending')).json).toEqual([])
  })

  it('shows an added animal at the end, and under its status', async () => {
    const api = await start({ pets: animals })
    const { json } = await api.create({ name: 'Pip', categoryId: 9, status: 'sold' })
    expect((await api.ask('/v1/pets')).json).toEqual([...animals, json])
    expect((await api.ask('/v1/pets?status=sold')).json).toEqual([misty, json])
  })

  it('lists by descending id with list-order=newest-first', async () => {
    const api = await start({ pets: animals, assume: { 'list-order': 'newest-first' } })
    const { json } = await api.create({ name: 'Pip', categoryId: 9 })
    expect((await api.ask('/v1/pets')).json).toEqual([json, bello, coco, misty, rex])
    expect((await api.ask('/v1/pets?limit=2')).json).toEqual([json, bello])
    expect((await api.ask('/v1/pets?status=available&limit=1')).json).toEqual([bello])
  })
})
