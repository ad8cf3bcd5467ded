// Whether the lists are paused, and when one that holds still shows what there is now.
import { signal } from './signal.ts'

export const isPaused = signal(false)
/** How often the lists have caught up. */
export const catches = signal(0)

export function togglePause(): void {
  isPaused.value = !isPaused.value
}

/** Makes a list that holds still show what there is now. */
export function catchUp(): void {
  catches.value++
}
