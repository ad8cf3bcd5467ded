// Copies a request in the form that a person uses: a command for their shell, code, or a test. The choice is remembered by the browser.
import { useState } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { type CommandRequest, toCommand } from './to-command.ts'
import { type TestedRequest, toKitTest } from './to-kit-test.ts'
import { toAxios, toFetch } from './to-script.ts'

interface CopyRequestProps {
  request(): CommandRequest
  /** For a request whose response is known. */
  tested?: () => TestedRequest
  /** Said once it is copied. */
  readonly note?: string | undefined
  onSay(message: string): void
}

interface Form {
  readonly id: string
  readonly name: string
  /** What is copied, as in "Copy as …". */
  readonly label: string
  toText(request: CommandRequest): string
}

const STORAGE_KEY = 'animal-store-mock.copy-as'
const FORMS: readonly Form[] = [
  { id: 'sh', name: 'curl (sh, bash, zsh)', label: 'curl', toText: (request) => toCommand(request, 'sh') },
  { id: 'cmd', name: 'curl (Windows cmd)', label: 'curl', toText: (request) => toCommand(request, 'cmd') },
  { id: 'powershell', name: 'PowerShell', label: 'PowerShell', toText: (request) => toCommand(request, 'powershell') },
  { id: 'fetch', name: 'fetch', label: 'fetch', toText: toFetch },
  { id: 'axios', name: 'axios', label: 'axios', toText: toAxios },
]
const TEST = 'test'

export function CopyRequest({ request, tested, note, onSay }: CopyRequestProps) {
  const [chosen, setChosen] = useState(recallForm)
  const choose = (id: string) => {
    localStorage.setItem(STORAGE_KEY, id)
    setChosen(id)
  }
  const forms = tested ? [...FORMS, { id: TEST, name: 'Vitest test', label: 'test', toText: () => toKitTest(tested()) }] : FORMS
  const form = forms.find(({ id }) => id === chosen) ?? (FORMS[0] as Form)
  return (
    <span class="copy-request">
      <CopyButton label={`Copy as ${form.label}`} text={() => form.toText(request())} {...{ note, onSay }} />
      <select aria-label="Copy as" value={form.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {forms.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

function recallForm(): string {
  return localStorage.getItem(STORAGE_KEY) ?? (/^win/i.test(navigator.platform) ? 'powershell' : 'sh')
}
