// Where the drawer and its button are, what a reload does not lose of that, and how much room the
// app has beside the drawer.
import type { Parts } from './parts.ts'

export type Side = 'bottom' | 'right'

/** `bottom` and `right` are shares of the window, `x` and `y` the place of the button. */
export interface Placement {
  isOpen: boolean
  side: Side
  bottom: number
  right: number
  x: number
  y: number
  /** The page of the console. */
  hash: string
}

const TIMELINE = '#/timeline'
const ITEM = 'animal-store-mock.drawer'
/** The least width of the drawer, and of the app beside it. */
export const DRAWER_PX = 428
export const APP_PX = 320
const NARROW_PX = DRAWER_PX + APP_PX

export function recallPlacement(): Placement {
  const usual: Placement = {
    isOpen: false,
    side: 'bottom',
    // On a telephone, a response and its alternative need more than half of the height to be seen
    // together.
    bottom: isNarrow() ? 0.7 : 0.5,
    right: 0.4,
    x: 12,
    y: 12,
    hash: '',
  }
  try {
    const kept: Placement = { ...usual, ...JSON.parse(localStorage.getItem(ITEM) ?? '{}') }
    // A reload makes a new mock, with other rows.
    const hash = hasRow(kept.hash) ? '' : kept.hash
    return { ...kept, hash }
  } catch {
    return usual
  }
}

/** Whether a page of the console shows a row, or compares with one. */
function hasRow(hash: string): boolean {
  if (!hash.startsWith(TIMELINE)) return false
  if (/[?&]compare=/.test(hash)) return true
  const part = hash.slice(TIMELINE.length)
  return part.startsWith('/') && !part.startsWith('/new')
}

export function keepPlacement(placement: Placement): void {
  try {
    localStorage.setItem(ITEM, JSON.stringify(placement))
  } catch {
    // The page may forbid storage.
  }
}

/** In a narrow window the drawer is at the bottom, wherever you put it. */
const isNarrow = (): boolean => innerWidth < NARROW_PX

export const findSide = (placement: Placement): Side => (isNarrow() ? 'bottom' : placement.side)

/** The side to which the drawer can move, if the window has room there. */
export function findOtherSide(placement: Placement): Side | undefined {
  if (isNarrow()) return undefined
  return placement.side === 'bottom' ? 'right' : 'bottom'
}

export function applyPlacement(parts: Parts, placement: Placement): void {
  const { drawer, edge, opener } = parts
  const side = findSide(placement)
  const isRight = side === 'right'
  const percent = Math.round(100 * placement[side])
  const size = isRight ? `clamp(${DRAWER_PX}px, ${percent}vw, 100vw - ${APP_PX}px)` : `${percent}vh`
  drawer.classList.toggle('right', isRight)
  drawer.style.width = isRight ? size : ''
  drawer.style.height = isRight ? '' : size
  edge.ariaOrientation = isRight ? 'vertical' : 'horizontal'
  edge.ariaValueNow = String(percent)
  const { x, y } = placement
  opener.style.inset = `auto min(${x}px, 100vw - 180px) min(${y}px, 100vh - 32px) auto`
  pushApp(side, placement.isOpen ? size : '')
}

/** An app of the height 100 % gives room too, because its padding is a part of it. */
function pushApp(side: Side, size: string): void {
  const { style } = document.documentElement
  style.boxSizing = size === '' ? '' : 'border-box'
  style.paddingBottom = side === 'bottom' ? size : ''
  style.paddingRight = side === 'right' ? size : ''
}

export const releaseApp = (): void => pushApp('bottom', '')
