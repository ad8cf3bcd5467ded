// Surprises against other judges, against planted clients and a tolerant one, and on the worker.
import { describe, expect, it } from 'vitest'
import { createMock, type Pet } from '../../src/index.ts'
import { reasons } from '../../src/world/surprise.ts'
import { runCli } from '../support/cli-process.ts'
import { type Api, createClient, toDirectWire } from '../support/client.ts'
import { findObjections } from '../support/judge.ts'
import { client, planted, seedWith } from '../support/planted-clients.ts'
import { optionsFor, play, SEEDS } from '../support/play-surprises.ts'
import { RUNS_FACTOR } from '../support/property.ts'
import { startOnWorker, useWorkerd } from '../support/worker-host.ts'

describe('the worker', () => {
  useWorkerd()

  it('gives the same bytes as other hosts', async () => {
    for (const seed of SEEDS) {
      expect(await play((await startOnWorker(optionsFor(seed))).wire)).toBe(
        await play(toDirectWire(createMock(optionsFor(seed)))),
      )
    }
  })
})

describe('surprise find', () => {
  it.each(planted)(
    'names the right surprise if a client $mistake',
    async ({ script, label, flags = [] }) => {
      const seed = seedWith(label, flags.includes('all') ? { kinds: ['all'] } : {})
      const { code, stdout, stderr } = await runCli([
        'surprise',
        'find',
        '--surprise',
        String(seed),
        ...flags,
        '--',
        ...client(script),
      ])
      const kind = label.split('@')[0] as keyof typeof reasons
      expect([code, stdout.split('\n').slice(1, 2)], stderr).toEqual([
        1,
        [`A client may not rely on ${reasons[kind].relied} (${reasons[kind].legal}).`],
      ])
      expect(stdout).toContain(`exec --surprise ${seed} --only "${label}", with the same options`)
      expect(stderr.match(/^run \d+/gm)?.length ?? 0).toBeLessThanOrEqual(27)
    },
  )
})

describe('a tolerant client', () => {
  /** Reads ids exactly, ignores what it does not know, decides by statuses, finds animals by id. */
  async function use({ ask, create }: Api): Promise<void> {
    const { id } = (await create({ name: 'Rex', categoryId: 1, status: 'sold' })).json as Pet
    const one = ((await ask('/v1/pets?status=sold')).json as Pet[]).find((pet) => pet.id === id)
    const isFound =
      one?.name === 'Rex' && ((await ask(`/v1/pets/${id}`)).json as Pet).categoryId === 1
    const isRefused =
      (await create({})).status === 400 && (await ask('/v1/pets/404')).status === 404
    const hasAll = ((await ask('/v1/pets')).json as Pet[]).length === 19
    if (!isFound || !isRefused || !hasAll) throw new Error('broken')
  }

  it('is broken by no surprise, and Prism objects to none', async () => {
    for (let seed = 1; seed <= 200 * RUNS_FACTOR; seed++) {
      const mock = createMock({ surprise: { seed } })
      const judge: Parameters<typeof createClient>[2] = ({ method, target }, received) =>
        expect(findObjections({ method, target, ...received })).toEqual([])
      await use(createClient(mock, toDirectWire(mock), judge)).catch((cause) =>
        Promise.reject(new Error(`broken by seed ${seed}`, { cause })),
      )
    }
  })
})
