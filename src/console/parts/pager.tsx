// Pages of a long list.

interface PagerProps {
  readonly label: string
  readonly page: number
  readonly size: number
  readonly total: number
  onPage(page: number): void
}

export function Pager({ label, page, size, total, onPage }: PagerProps) {
  const last = Math.max(0, Math.ceil(total / size) - 1)
  const from = total === 0 ? 0 : page * size + 1
  return (
    <nav class="pager" aria-label={`Pages of ${label}`}>
      <span class="numbers">
        {from.toLocaleString('en')}–{Math.min(total, (page + 1) * size).toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <button type="button" class="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
