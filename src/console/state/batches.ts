// What happens in quick succession, taken together.

/** Whatever happens within this time is shown together. */
const BATCH_MS = 60

/** Runs one job at a time; what is added meanwhile waits for the next run, each item once. */
export function createQueue<Item>(run: (items: readonly Item[]) => Promise<void>): { add(items: readonly Item[]): void } {
  const waiting = new Set<Item>()
  let isRunning = false

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.size > 0) {
      const items = [...waiting]
      waiting.clear()
      await run(items)
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
    }
    isRunning = false
  }

  return {
    add(items) {
      for (const item of items) waiting.add(item)
      if (!isRunning) void runAll()
    },
  }
}

/** Collects items for a moment and hands them over together. */
export function createBatch<Item>(run: (items: readonly Item[]) => void): (item: Item) => void {
  let batch: Item[] = []
  return (item) => {
    batch.push(item)
    if (batch.length > 1) return
    setTimeout(() => {
      const items = batch
      batch = []
      run(items)
    }, BATCH_MS)
  }
}
