// A search that suggests words, and shows those that have a meaning of their own as chips.
import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact'
import { useState } from 'preact/hooks'
import { hotkeyOf } from '../model/hotkeys.ts'
import { count } from '../model/text.ts'
import { Button } from './button.tsx'

export type Suggestion = { readonly word: string; readonly amount: number }

type SearchProps = {
  label: string
  value: string
  onChange(text: string): void
  /** Words to go on with, for the one that you are typing. */
  suggest?: ((typed: string) => readonly Suggestion[]) | undefined
}

const LIST_ID = 'suggestions'
const MAX_SUGGESTIONS = 8
const NOTHING = -1

export function Search({ label, value, onChange, suggest }: SearchProps) {
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(NOTHING)
  const typed = /\S*$/.exec(value)?.[0] ?? ''
  const suggestions = isOpen && suggest ? suggest(typed).slice(0, MAX_SUGGESTIONS) : []
  const hasList = suggestions.length > 0

  function update(text: string) {
    setActive(NOTHING)
    onChange(text)
  }

  function take(suggestion: Suggestion) {
    update(`${value.slice(0, value.length - typed.length)}${suggestion.word} `)
  }

  /** Goes round: after the last suggestion comes nothing, then the first. */
  function step(by: 1 | -1) {
    const last = suggestions.length - 1
    const next = active + by
    if (next > last) setActive(NOTHING)
    else if (next < NOTHING) setActive(last)
    else setActive(next)
  }

  function followKey(event: KeyboardEvent) {
    const chosen = suggestions[active]
    if (event.key === 'Enter' && chosen) take(chosen)
    else if (event.key === 'ArrowDown' && hasList) step(1)
    else if (event.key === 'ArrowUp' && hasList) step(-1)
    else if (event.key === 'Escape' && chosen) setActive(NOTHING)
    else return
    event.preventDefault()
  }

  // Preact's types do not let a search have the role of a combobox.
  const combobox: Record<string, unknown> = {}
  if (suggest) {
    combobox.role = 'combobox'
    combobox['aria-expanded'] = hasList
    combobox['aria-controls'] = LIST_ID
    if (active !== NOTHING) combobox['aria-activedescendant'] = optionId(active)
  }
  function type(event: TargetedInputEvent<HTMLInputElement>) {
    setOpen(true)
    update(event.currentTarget.value)
  }

  function leave(event: TargetedKeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape' && value === '') event.currentTarget.blur()
  }

  const handlers = {
    onFocus: () => setOpen(true),
    onBlur: () => setOpen(false),
    onInput: type,
    onKeyDown: followKey,
    onKeyUp: leave,
  }
  const placeholder = `${label}  ( / )`
  const names = { 'aria-label': label, placeholder, ...hotkeyOf('/') }
  return (
    <div class="search">
      <input type="search" {...names} {...combobox} value={value} {...handlers} />
      {suggest && <Suggestions suggestions={suggestions} active={active} onTake={take} />}
    </div>
  )
}

type SuggestionsProps = {
  suggestions: readonly Suggestion[]
  active: number
  onTake(suggestion: Suggestion): void
}

function Suggestions({ suggestions, active, onTake }: SuggestionsProps) {
  return (
    <div id={LIST_ID} class="suggestions" role="listbox" aria-label="Suggestions">
      {suggestions.map((suggestion, index) => (
        <SuggestedWord
          key={suggestion.word}
          suggestion={suggestion}
          index={index}
          isActive={index === active}
          onTake={onTake}
        />
      ))}
    </div>
  )
}

type SuggestedWordProps = {
  suggestion: Suggestion
  index: number
  isActive: boolean
  onTake(suggestion: Suggestion): void
}

function SuggestedWord({ suggestion, index, isActive, onTake }: SuggestedWordProps) {
  const { word, amount } = suggestion
  const take = (event: Event) => {
    // The focus stays in the search.
    event.preventDefault()
    onTake(suggestion)
  }
  return (
    <div
      id={optionId(index)}
      class="item"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={take}
    >
      <code class="grow">{word}</code>
      <small>{count(amount)}</small>
    </div>
  )
}

function optionId(index: number): string {
  return `${LIST_ID}-${index}`
}

type ChipsProps = { words: readonly string[]; onRemove(word: string): void }

export function SearchChips({ words, onRemove }: ChipsProps) {
  if (words.length === 0) return null
  return (
    <ul class="conditions" data-focus-list aria-label="The search">
      {words.map((word) => (
        <SearchChip key={word} word={word} onRemove={() => onRemove(word)} />
      ))}
    </ul>
  )
}

function SearchChip({ word, onRemove }: { word: string; onRemove(): void }) {
  return (
    <li class="condition">
      <span>{word}</span>
      <Button class="" aria-label={`Remove ${word}`} onClick={onRemove}>
        ✕
      </Button>
    </li>
  )
}
