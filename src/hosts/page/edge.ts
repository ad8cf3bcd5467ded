// The edge of the drawer, which resizes it: with the pointer or with keys.
import { APP_PX, DRAWER_PX } from './placement.ts'

const MIN_HEIGHT = 0.2
const MAX_HEIGHT = 0.95
/** How much of the window each key adds. */
const STEPS: Partial<Record<string, number>> = {
  ArrowUp: 0.03,
  ArrowLeft: 0.03,
  ArrowDown: -0.03,
  ArrowRight: -0.03,
  Home: -1,
  End: 1,
}

export function makeResizable(
  edge: HTMLElement,
  drawer: HTMLElement,
  onResize: (share: number) => void,
): void {
  const isRight = () => drawer.classList.contains('right')

  function resize(share: number): void {
    const least = isRight() ? DRAWER_PX / innerWidth : MIN_HEIGHT
    const most = isRight() ? 1 - APP_PX / innerWidth : MAX_HEIGHT
    onResize(Math.max(least, Math.min(share, most)))
  }

  edge.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(Number(edge.ariaValueNow) / 100 + step)
  })
  // The focus stays where it is.
  edge.addEventListener('mousedown', (event) => event.preventDefault())
  edge.addEventListener('pointerdown', (event) => edge.setPointerCapture(event.pointerId))
  edge.addEventListener('pointermove', (event) => {
    if (!edge.hasPointerCapture(event.pointerId)) return
    const before = isRight() ? event.clientX / innerWidth : event.clientY / innerHeight
    resize(1 - before)
  })
}
