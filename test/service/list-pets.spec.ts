import { expect, it } from 'vitest'
import { bello, coco, herd, misty, rex } from '../support/animals.ts'
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

  it('lists 20 animals by default, and as many as the limit allows', async () => {
    const api = await start({ pets: herd(150) })
    const count = async (target: string) => ((await api.ask(target)).json as unknown[]).length
    expect(await count('/v1/pets')).toBe(20)
    expect(await count('/v1/pets?limit=1')).toBe(1)
    expect(await count('/v1/pets?limit=100')).toBe(100)
    expect(await count('/v1/pets?limit=%31%30')).toBe(10)
  })
})
