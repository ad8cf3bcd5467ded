// Copies a text and confirms it in its own place, which is as wide before as after.
import { useEffect, useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  readonly label: string
  text(): string
  /** Said once it is copied. */
  readonly note?: string | undefined
  onSay(message: string): void
}

const SHOWN_MS = 2_000

export function CopyButton({ label, text, note, onSay }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    const isDone = await copyText(text())
    setCopied(isDone)
    if (!isDone) onSay('The browser blocked copying; select the text instead')
    else if (note !== undefined) onSay(`Copied. ${note}`)
  }
  return (
    <>
      <button type="button" class="button copy" onClick={copy}>
        <span aria-hidden={isCopied}>{label}</span>
        {isCopied && <span class="copied">Copied</span>}
      </button>
      <span class="hidden" role="status">
        {isCopied ? 'Copied to the clipboard' : ''}
      </span>
    </>
  )
}
