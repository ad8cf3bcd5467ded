// Pages of a long list.

interface PagerProps {
  readonly label: string
  readonly page: number
  readonly size: number
  readonly total: number
  onPage(page: number): void
}

export function Pager({ label, page, size, total, onPage }: PagerProps) {
  if (total === 0) return null
  const last = Math.ceil(total / size) - 1
  const jump = ({ value }: HTMLInputElement) => {
    // Whatever is no number of a page leads to the nearest one.
    if (value !== '') onPage(Math.min(Math.max(Math.trunc(Number(value)) - 1, 0), last))
  }
  return (
    <nav class="pager" aria-label={`Pages of ${label}`}>
      <span class="numbers">
        {(page * size + 1).toLocaleString('en')}–{Math.min(total, (page + 1) * size).toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      {last > 0 && (
        <label>
          Page{' '}
          <input
            type="number"
            inputMode="numeric"
            class="page-number"
            min={1}
            max={last + 1}
            value={page + 1}
            onChange={({ currentTarget }) => jump(currentTarget)}
          />{' '}
          of {(last + 1).toLocaleString('en')}
        </label>
      )}
      <span class="buttons" hidden={last === 0}>
        <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
          Previous
        </button>
        <button type="button" class="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
          Next
        </button>
      </span>
    </nav>
  )
}
