// Two workerd and a bucket: one of them is killed and its disk deleted, and the other takes its worlds over.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import { startBucket } from './bucket.ts'
import { createClient, TOKEN } from './http.ts'

const KEYS = Array.from({ length: 20 }, (_, index) => `member-${index}`)

/** Returns how long it took until the other answered for all worlds, in milliseconds; throws if one of them is not as it was. */
export async function takeOver(program: string): Promise<number> {
  const bucket = await startBucket()
  const members: Workerd[] = []
  const start = async () => {
    const member = await startWorkerd({ program, bindings: { CONTROL_TOKEN: TOKEN }, cluster: bucket.url })
    members.push(member)
    return member
  }
  try {
    const first = await start()
    const second = await start()
    const [one, other] = [createClient(() => first.port), createClient(() => second.port)]
    // The first owns half of the worlds, and both answer for all of them.
    for (const [index, key] of KEYS.entries()) await (index % 2 === 0 ? one : other).create(key, `of ${key}`)
    for (const key of KEYS) check(key, (await one.create(key, 'second')).text, 52)
    for (const key of KEYS) check(key, (await other.ask({ path: '/v1/pets/52', key })).text, 52)
    await first.kill()
    rmSync(join(first.folder, 'sandboxes'), { recursive: true })
    const killedAt = performance.now()
    for (const key of KEYS) await untilAnswered(() => other.ask({ path: '/v1/pets/52', key }))
    const took = performance.now() - killedAt
    for (const key of KEYS) {
      check(key, (await other.ask({ path: '/v1/pets/51', key })).text, 51)
      check(key, (await other.create(key, 'third')).text, 53)
    }
    return took
  } finally {
    await Promise.all(members.map(({ stop }) => stop()))
    bucket.close()
  }
}

function check(key: string, text: string, id: number): void {
  if (!text.startsWith(`{"id":${id},`)) throw new Error(`${key}: expected animal ${id}, got ${text}`)
}

async function untilAnswered(ask: () => Promise<{ status: number; text: string }>): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return
    if (performance.now() > deadline) throw new Error(`not taken over within two minutes: ${answer?.status} ${answer?.text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
