// The button that opens the drawer: it says what is not normal, and can be dragged.
import { count } from '../../contract/problem.ts'
import type { Control } from '../../control/control.ts'
import { isUsedUp } from '../../world/fault-outcome.ts'
import type { Placement } from './placement.ts'

/** A click moves the pointer a little. */
const DRAG_PX = 4

/** The faults that can still apply, and latency. */
export function describeActive(control: Control): string {
  const texts: string[] = []
  const faults = control.faults.list().filter((fault) => !isUsedUp(fault))
  if (faults.length > 0) texts.push(count(faults.length, 'fault'))
  if (control.latency.get() !== null) texts.push('latency')
  return texts.join(', ')
}

export function showFailures(failures: HTMLElement, amount: number): void {
  const title = amount === 0 ? '' : `${amount} failed`
  failures.textContent = amount === 0 ? '' : String(amount)
  failures.title = title
  failures.ariaLabel = title || null
}

export function makeMovable(
  opener: HTMLElement,
  placement: Placement,
  onMove: (to: { x: number; y: number }) => void,
  onClick: () => void,
): void {
  let startX = 0
  let startY = 0
  let isDragged = false
  opener.addEventListener('pointerdown', (event) => {
    opener.setPointerCapture(event.pointerId)
    startX = placement.x + event.clientX
    startY = placement.y + event.clientY
    isDragged = false
  })
  opener.addEventListener('pointermove', (event) => {
    if (event.buttons === 0) return
    const x = Math.max(0, Math.min(startX - event.clientX, innerWidth - opener.offsetWidth))
    const y = Math.max(0, Math.min(startY - event.clientY, innerHeight - opener.offsetHeight))
    if (Math.hypot(x - placement.x, y - placement.y) < DRAG_PX) return
    isDragged = true
    onMove({ x, y })
  })
  opener.addEventListener('click', (event) => {
    // A drag ends with a click too. One of a key has no detail.
    if (!isDragged || event.detail === 0) onClick()
  })
}
