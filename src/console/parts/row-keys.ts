// Up and down move from row to row of a table, Home and End to its ends, as people expect of a list.

/** For the body of a table whose rows each have one button that opens them. */
export function onRowKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.open')]
  const index = rows.indexOf(document.activeElement as HTMLElement)
  if (index < 0) return
  const targets: Readonly<Record<string, number>> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }
  const next = rows[targets[event.key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus()
}
