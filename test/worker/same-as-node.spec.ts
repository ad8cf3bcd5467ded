// A worker that is killed again and again gives the responses of a server that never stops. WORKER_REQUESTS sets how many.
import { expect, it } from 'vitest'
import { compareWithKills } from './differential.ts'

const REQUESTS = Number(process.env.WORKER_REQUESTS ?? 200)
const KILLS = REQUESTS / 50

it('the worker gives the responses of the Node server, even if it is killed again and again', { timeout: 900_000 }, async () => {
  const { differences, ...counted } = await compareWithKills({ requests: REQUESTS, kills: KILLS, seed: 7 })
  expect(differences).toEqual([])
  expect(counted).toMatchObject({ requests: REQUESTS, kills: KILLS, during: KILLS / 2 })
})
