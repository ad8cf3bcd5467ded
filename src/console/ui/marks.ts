// The marks of the strip as the paths of an SVG: one for each tone, however many rows there are.
import { type Placed, type Tone, toneOfMark } from '../model/strip.ts'

/** Half of the height of a mark, in pixels. */
const HALVES = { good: 5, warn: 6.5, bad: 8, waiting: 4.5, change: 4, left: 4 } as const
/** Marks of a tone that are closer would be one. */
const CLOSEST_PX = 1

/** `y` is the middle of the lane. What is left behind has its own tone. */
export function drawMarks(
  placed: readonly Placed[],
  y: number,
  isLeft: (one: Placed) => boolean = () => false,
): ReadonlyMap<Tone, string> {
  const paths = new Map<Tone, string>()
  const lastX = new Map<Tone, number>()
  for (const one of placed) {
    const tone = isLeft(one) ? 'left' : toneOfMark(one.row)
    if (one.x - (lastX.get(tone) ?? -CLOSEST_PX) < CLOSEST_PX) continue
    lastX.set(tone, one.x)
    paths.set(tone, (paths.get(tone) ?? '') + drawMark(tone, one.x, y))
  }
  return paths
}

/** A change is a diamond, and what waits is a ring: not only the colour tells them apart. */
function drawMark(tone: Tone, x: number, y: number): string {
  const place = x.toFixed(1)
  const half = HALVES[tone]
  switch (tone) {
    case 'change':
      return `M${place} ${y - half}l${half} ${half}l-${half} ${half}l-${half}-${half}z`
    case 'waiting':
      return `M${place} ${y - half}a${half} ${half} 0 1 1-.1 0z`
    default:
      return `M${place} ${y - half}v${2 * half}`
  }
}
