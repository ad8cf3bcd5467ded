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
      if (!isDue) queueMicrotask(renderAgain)
      isDue = true
    },
  }
}

export function renderWith(run: () => void): void {
  render = run
  renderAgain()
}

function renderAgain(): void {
  isDue = false
  render()
}
