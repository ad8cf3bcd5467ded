// The edge between the list and the detail, which you drag. Its value is the detail's share of the
// window, in percent.
import type { TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { tryStorage } from '../model/drafts.ts'

const WIDTH = 'animal-store-mock.pane'
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: 3,
  ArrowRight: -3,
  Home: -100,
  End: 100,
}

export function Edge() {
  const edge = useRef<HTMLDivElement>(null)
  const findShare = () => (100 * (edge.current?.parentElement?.offsetWidth ?? 0)) / innerWidth

  function show(percent: string | null | undefined) {
    if (percent) {
      const width = `clamp(320px, ${percent}%, 100% - 380px)`
      document.documentElement.style.setProperty('--pane', width)
    }
    edge.current?.setAttribute('aria-valuenow', findShare().toFixed())
  }

  function resize(percent: number) {
    tryStorage(() => sessionStorage.setItem(WIDTH, String(percent)))
    show(String(percent))
  }

  function start(event: TargetedPointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
  }

  function drag(event: TargetedPointerEvent<HTMLElement>) {
    const isDragged = event.currentTarget.hasPointerCapture(event.pointerId)
    if (isDragged) resize(100 - (100 * event.clientX) / innerWidth)
  }

  function step(event: KeyboardEvent) {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    resize(findShare() + by)
  }

  /** The browser would drag the link that comes under the pointer. */
  function preventDrag(event: Event) {
    event.preventDefault()
  }

  useLayoutEffect(() => show(tryStorage(() => sessionStorage.getItem(WIDTH))))
  const handlers = {
    onMouseDown: preventDrag,
    onPointerDown: start,
    onPointerMove: drag,
    onKeyDown: step,
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr has no value
    <div
      ref={edge}
      class="edge"
      role="separator"
      tabIndex={0}
      aria-label="Width of the detail"
      aria-orientation="vertical"
      aria-valuenow={50}
      {...handlers}
    />
  )
}
