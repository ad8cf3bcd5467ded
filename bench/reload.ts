// Scenarios loaded under load: every list must show one world entirely, the old or the new, and none may fail.
import { Agent, request } from 'node:http'
import { ours } from './contestants.ts'
import { atMost, type Figure, fact } from './figures.ts'
import { startServer } from './server-process.ts'

const CONNECTIONS = 50
const LOADS = 200
const INVALID_EVERY = 5

const worldOf = (name: string) =>
  JSON.stringify({ pets: Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name, categoryId: 1 })) })
const worlds = [worldOf('old'), worldOf('new')]
const invalidWorld = JSON.stringify({
  pets: [
    { id: 1, name: 'bad', categoryId: 1 },
    { id: 1, name: 'bad', categoryId: 'none' },
  ],
})

export async function measureReload(): Promise<Figure[]> {
  const server = await startServer(ours())
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS + 1 })
  const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const asked = request({ port: server.port, host: '127.0.0.1', agent, method, path, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode as number, text }))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  const load = (body: string) => send('PUT', '/__mock/state', { 'Content-Type': 'application/json' }, body)

  let lists = 0
  let wrong = 0
  let running = true
  const keepListing = async () => {
    while (running) {
      const { status, text } = await send('GET', '/v1/pets?limit=100', { Authorization: 'Bearer bench-key' })
      const names = new Set((JSON.parse(text) as { name: string }[]).map(({ name }) => name))
      lists++
      if (status !== 200 || names.size !== 1 || names.has('bad')) wrong++
    }
  }
  await load(worlds[0] as string)
  const listing = Promise.all(Array.from({ length: CONNECTIONS }, keepListing))
  let misjudged = 0
  for (let count = 1; count <= LOADS; count++) {
    const isInvalid = count % INVALID_EVERY === 0
    const { status } = await load(isInvalid ? invalidWorld : (worlds[count % 2] as string))
    if (isInvalid ? status !== 400 : status >= 300) misjudged++
  }
  running = false
  await listing
  agent.destroy()
  await server.stop()
  return [
    fact('lists seen during 200 loads on 50 connections', lists.toLocaleString('en')),
    atMost('of those, mixed or failed', wrong, 0, String(wrong)),
    atMost('loads judged wrongly, a fifth of them invalid', misjudged, 0, String(misjudged)),
  ]
}
