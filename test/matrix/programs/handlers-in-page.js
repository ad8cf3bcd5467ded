// Runs in the page of test/browser/app.ts: what the handlers behind MSW's worker answer there.
export default async () => {
  const { app } = globalThis
  const API = 'https://api.example.test/v1'
  const authorization = 'Bearer page-key'
  const ask = async (url, init = {}) => {
    const response = await fetch(url, { ...init, headers: { authorization, ...init.headers } })
    return [response.status, await response.text()]
  }
  const create = (url, body) => ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const seen = {}

  // One state behind both addresses.
  seen.created = await create('/v1/pets', '{"name":"Pip","categoryId":1}')
  seen.foundAtOtherAddress = await ask(`${API}/pets/19`)

  seen.int64 = await create(`${API}/pets`, '{"name":"Big","categoryId":-9223372036854775808}')

  seen.wrongKey = await ask('/v1/pets', { headers: { authorization: 'Bearer wrong' } })
  seen.notFound = await ask('/v1/pets/9223372036854775807')
  seen.invalid = (await create('/v1/pets', '{"name":5}'))[0]
  app.mock.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
  seen.fault = (await create('/v1/pets', '{"name":"Pip","categoryId":1}'))[0]

  const dropping = app.mock.control.faults.add({ operation: 'listPets', drop: true, times: 1 })
  seen.dropped = await ask('/v1/pets').catch((error) => error.name)
  const [logged] = app.mock.control.requests({ operation: 'listPets' }).slice(-1)
  seen.dropIsLogged = [logged.status, logged.faults.length === 1 && logged.faults[0] === dropping.id]

  app.mock.control.faults.clear()
  app.mock.control.faults.add({ operation: '*', delay: 300, times: 1 })
  const before = performance.now()
  const [status] = await ask('/v1/pets')
  seen.delayed = [status, performance.now() - before >= 295]

  seen.elsewhere = await ask('/v2/pets')

  app.mock.control.reset()
  seen.reset = (await ask(`${API}/pets/19`))[0]
  return JSON.stringify(seen)
}
