// Values that the page shows. The page is small, since only the lines in sight are rendered, so any change renders all of it again.

export interface Signal<T> {
  value: T
}

let render = () => {}
let isDue = false

/** A value; when it changes, the page is rendered soon. */
export function signal<T>(initial: T): Signal<T> {
  let current = initial
  return {
    get value() {
      return current
    },
    set value(next) {
      if (Object.is(next, current)) return
      current = next
      if (isDue) return
      isDue = true
      queueMicrotask(() => {
        isDue = false
        render()
      })
    },
  }
}

/** Renders the page, now and after every change. */
export function renderWith(run: () => void): void {
  render = run
  run()
}
