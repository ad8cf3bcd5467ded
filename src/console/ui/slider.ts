// What the pointer drags along the strip, and the keys that do the same.
import type { TargetedPointerEvent } from 'preact'

type Steps = Readonly<Record<string, number>>
const KEYS: Steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }
const ENDS: Steps = { Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }
/** A click moves the pointer a little. */
const DRAG_PX = 3

type PointerHandler = (event: TargetedPointerEvent<HTMLElement>) => void
export type DragHandlers = Readonly<{
  onPointerDown: PointerHandler
  onPointerMove: PointerHandler
  onPointerUp: PointerHandler
}>

/** Both functions get a place in pixels from the left of the parent. */
export function dragAlong(
  moveTo: (x: number) => void,
  click: (x: number) => void = () => {},
): DragHandlers {
  return {
    onPointerDown(event) {
      const { currentTarget: element } = event
      element.setPointerCapture(event.pointerId)
      element.dataset.start = String(event.clientX)
    },
    onPointerMove(event) {
      const { currentTarget: element } = event
      if (!element.hasPointerCapture(event.pointerId)) return
      const { start } = element.dataset
      const isNear = start !== '' && Math.abs(event.clientX - Number(start)) < DRAG_PX
      if (isNear) return
      // From here on each move counts.
      element.dataset.start = ''
      moveTo(findPlace(event))
    },
    onPointerUp(event) {
      if (event.currentTarget.dataset.start) click(findPlace(event))
    },
  }
}

function findPlace(event: TargetedPointerEvent<HTMLElement>): number {
  const parent = event.currentTarget.parentElement
  return event.clientX - (parent?.getBoundingClientRect().left ?? 0)
}

/** `step` gets a number of rows, or an infinite one for the first or the last. */
export function stepWithKeys(step: (by: number) => void) {
  return {
    onKeyDown(event: KeyboardEvent) {
      const by = KEYS[event.key] ?? ENDS[event.key]
      if (by === undefined) return
      event.preventDefault()
      event.stopPropagation()
      step(by)
    },
  }
}
