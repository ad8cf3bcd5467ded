/** Time that has passed: `0.4 ms`, `12 ms`, `1.5 s`. */
export function printDuration(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(1))} s`
  const digits = ms < 10 ? 1 : 0
  return `${Number(ms.toFixed(digits))} ms`
}
