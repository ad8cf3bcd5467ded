// Delta debugging: from many suspects to the few that matter, by halves where one of them is to blame.

/** The smallest part of a failing set that this finds; `fails` tries a part, and returns false where it may not try more. */
export async function shrink<T>(items: readonly T[], fails: (part: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let current = items
  for (let count = 2; current.length > 1; ) {
    const edge = (index: number) => Math.floor((index * current.length) / count)
    const parts = Array.from({ length: count }, (_, index) => current.slice(edge(index), edge(index + 1)))
    // With two parts, the complements are the parts.
    const others = count === 2 ? [] : parts.map((part) => current.filter((item) => !part.includes(item)))
    let smaller: readonly T[] | undefined
    for (const part of [...parts, ...others]) {
      if (!smaller && (await fails(part))) smaller = part
    }
    if (!smaller && count >= current.length) break
    // What is left of a part starts with halves again; what is left without a part goes on in parts of the same size.
    count = !smaller ? Math.min(2 * count, current.length) : others.includes(smaller as T[]) ? Math.max(count - 1, 2) : 2
    current = smaller ?? current
  }
  return current
}
