// Copies a request as a command for the shell that a person uses; the choice is remembered by the browser.
import { useState } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { type CommandRequest, type Shell, toCommand } from './to-command.ts'

interface CopyCommandProps {
  request(): CommandRequest
  onFailure(message: string): void
}

const STORAGE_KEY = 'animal-store-mock.shell'
const SHELLS: readonly { id: Shell; name: string; label: string }[] = [
  { id: 'sh', name: 'sh, bash, zsh', label: 'Copy as curl' },
  { id: 'cmd', name: 'Windows cmd', label: 'Copy as curl' },
  { id: 'powershell', name: 'PowerShell', label: 'Copy as PowerShell' },
]

export function CopyCommand({ request, onFailure }: CopyCommandProps) {
  const [shell, setShell] = useState(recallShell)
  const choose = (chosen: Shell) => {
    localStorage.setItem(STORAGE_KEY, chosen)
    setShell(chosen)
  }
  const label = SHELLS.find(({ id }) => id === shell)?.label ?? ''
  return (
    <span class="copy-command">
      <CopyButton label={label} text={() => toCommand(request(), shell)} onFailure={onFailure} />
      <select aria-label="Shell" value={shell} onChange={({ currentTarget }) => choose(currentTarget.value as Shell)}>
        {SHELLS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

function recallShell(): Shell {
  const usual = /^win/i.test(navigator.platform) ? 'powershell' : 'sh'
  return SHELLS.find(({ id }) => id === localStorage.getItem(STORAGE_KEY))?.id ?? usual
}
