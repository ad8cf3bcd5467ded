// The tools above a list: a search, a filter, and a link to the form for a new one.
import type { ComponentChildren } from 'preact'
import { hotkeyOf } from '../model/hotkeys.ts'
import { adjust, link, NEW, route } from '../model/route.ts'
import { capitalize, count } from '../model/text.ts'
import { UNSAVED } from './chip.tsx'
import { Search, type Suggestion } from './search.tsx'

type Option = readonly [id: string, text: string, amount?: number]
type OneOfProps = {
  label: string
  value: string
  options: readonly Option[]
  onChange(id: string): void
}

/** An option without an amount to show is left out, unless it is the first or chosen. */
export function OneOf({ label, value, options, onChange }: OneOfProps) {
  const [first] = options
  const shown = options.filter((option) => {
    const [id, , amount] = option
    return amount !== 0 || option === first || id === value
  })
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {shown.map(([id, text, amount]) => (
        <label key={id}>
          <input type="radio" name={label} checked={id === value} onChange={() => onChange(id)} />
          {text} {amount !== undefined && <small>{count(amount)}</small>}
        </label>
      ))}
    </fieldset>
  )
}

type ToolsProps = {
  search: string
  /** What the address calls the filter. */
  name: string
  options: readonly Option[]
  /** The text of the link. */
  add: string
  isUnsaved: boolean
  /** Words for the search. */
  suggest?: (typed: string) => readonly Suggestion[]
  children?: ComponentChildren
}

export function Tools(props: ToolsProps) {
  const { search, name, options, add, isUnsaved, suggest, children } = props
  const { view, query } = route.value
  const href = link(view, NEW, query)
  const addLabel = isUnsaved ? `${add}, unsaved` : add
  const lookFor = (text: string) => filterBy('q', text)
  const show = (id: string) => filterBy(name, id)
  return (
    <div class="tools">
      <Search label={search} value={query.q ?? ''} suggest={suggest} onChange={lookFor} />
      <OneOf label={capitalize(name)} value={query[name] ?? ''} options={options} onChange={show} />
      {children}
      <a class="button" {...hotkeyOf('a')} href={href} aria-label={addLabel}>
        + <span class="long">{add}</span> {isUnsaved && UNSAVED}
      </a>
    </div>
  )
}

export function filterBy(name: string, value: string): void {
  adjust({ query: { page: '', [name]: value } })
}
