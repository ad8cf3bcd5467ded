import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createQueue } from './queue.ts'

it('a queue has the items of a plain list, whatever enters and leaves', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(), { freq: 2 }), { maxLength: 60 }), (steps) => {
      const queue = createQueue<number>()
      const model: number[] = []
      for (const step of steps) {
        if (step === null) {
          expect(queue.shift()).toBe(model.shift())
        } else {
          queue.push(step)
          model.push(step)
        }
        expect(queue.list()).toEqual(model)
        expect([queue.length, queue.at(0), queue.at(model.length)]).toEqual([
          model.length,
          model[0],
          undefined,
        ])
      }
    }),
  )
})
