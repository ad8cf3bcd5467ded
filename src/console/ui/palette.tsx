// The palette: all that you can do now, found by what it says.
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { dialog } from './dialog.tsx'

export type Command = {
  /** As it is shown; empty if there is no key for it. */
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
  const found = commands.filter(({ help }) =>
    words.every((word) => help.toLowerCase().includes(word)),
  )
  const choose = (command: Command | undefined) => {
    if (!command) return
    // What it does may open another dialog, or take the focus.
    document.querySelector('dialog')?.close()
    setTimeout(command.run)
  }
  return (
    <>
      <input
        type="search"
        aria-label="Search the actions"
        autofocus
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          choose(found[0])
        }}
      />
      <div class="palette">
        {found.map((command) => (
          <Button key={command.help} class="item" onClick={() => choose(command)}>
            <span class="grow">{command.help}</span>
            {command.key !== '' && <kbd>{command.key}</kbd>}
          </Button>
        ))}
        {found.length === 0 && <p class="muted">Nothing is called that.</p>}
      </div>
    </>
  )
}
