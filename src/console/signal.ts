// Values that the page shows: when one changes, the whole page is rendered soon.
export type Signal<T> = { value: T }

let render = () => {}
let isDue = false

export function signal<T>(initial: T): Signal<T> {
  let current = initial
  return {
    get value() {
      return current
    },
    set value(next) {
      if (Object.is(next, current)) return
      current = next
      if (!isDue) queueMicrotask(flush)
      isDue = true
    },
  }
}

function flush(): void {
  isDue = false
  render()
}

export function renderWith(run: () => void): void {
  render = run
  run()
}
