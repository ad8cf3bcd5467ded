// A promise of the documentation as a test. The claim names a page and an anchor: the section that makes the promise. Its words are free.
import { expect, it } from 'vitest'
import { anchorsOf, pageOf } from './documents.ts'

/** A test of a promise that the section at `place` makes, such as `docs/faults.md#latency`. */
export function claim(place: string, fact: string, prove: () => void | Promise<void>): void {
  it(`${place}: ${fact}`, async () => {
    const [page = '', anchor] = place.split('#')
    expect(anchorsOf(pageOf(page).text)).toContain(anchor)
    await prove()
  })
}
