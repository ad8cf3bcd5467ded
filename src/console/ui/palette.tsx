// The palette: all that you can do now, found by what it says.
import type { TargetedInputEvent } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { dialog } from './dialog.tsx'

export type Command = {
  readonly key: string
  readonly help: string
  run(): unknown
}

export function openPalette(commands: readonly Command[]): void {
  dialog.value = { title: 'What do you want to do?', text: <Palette commands={commands} /> }
}

function Palette({ commands }: { commands: readonly Command[] }) {
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(' ')
  const isFound = ({ help }: Command) => {
    const text = help.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = commands.filter(isFound)
  const choose = (command: Command | undefined) => {
    if (!command) return
    // What it does may open another dialog, or take the focus.
    document.querySelector('dialog')?.close()
    setTimeout(command.run)
  }
  const type = (event: TargetedInputEvent<HTMLInputElement>) => {
    setSearch(event.currentTarget.value)
  }
  const chooseFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    choose(found[0])
  }
  return (
    <>
      <input
        type="search"
        aria-label="Search the actions"
        autofocus
        value={search}
        onInput={type}
        onKeyDown={chooseFirst}
      />
      <div class="palette">
        {found.map((command) => (
          <PaletteItem key={command.help} command={command} onChoose={() => choose(command)} />
        ))}
        {found.length === 0 && <p class="muted">Nothing is called that.</p>}
      </div>
    </>
  )
}

function PaletteItem({ command, onChoose }: { command: Command; onChoose(): void }) {
  const { key, help } = command
  return (
    <Button class="item" onClick={onChoose}>
      <span class="grow">{help}</span>
      <kbd>{key}</kbd>
    </Button>
  )
}
