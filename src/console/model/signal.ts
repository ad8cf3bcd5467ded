// Values that the page shows: when one changes, the whole page is rendered soon.
let render = () => {}
let isDue = false

export function signal<T>(initial: T) {
  let current = initial
  return {
    get value() {
      return current
    },
    set value(next) {
      if (Object.is(next, current)) return
      current = next
      if (!isDue) queueMicrotask(renderWith)
      isDue = true
    },
  }
}

/** Without `run`, as it was rendered last. */
export function renderWith(run = render): void {
  isDue = false
  render = run
  run()
}
