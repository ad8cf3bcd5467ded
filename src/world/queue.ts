// A list that items enter at the end and leave at the front, each at the same small cost.

export type Queue<Item> = ReturnType<typeof createQueue<Item>>

export function createQueue<Item>() {
  /** Those before `start` have left. */
  let items: (Item | undefined)[] = []
  let start = 0
  return {
    get length(): number {
      return items.length - start
    },
    at: (index: number): Item | undefined => items[start + index],
    list: () => items.slice(start) as Item[],
    push(item: Item): void {
      items.push(item)
    },
    /** Removes the first, if there is one. */
    shift(): Item | undefined {
      const first = items[start]
      items[start] = undefined
      start++
      // Half of the places are empty: the rest moves to the front.
      if (2 * start >= items.length) {
        items = items.slice(start)
        start = 0
      }
      return first
    },
  }
}
