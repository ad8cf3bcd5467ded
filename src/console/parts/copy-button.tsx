// Copies a text and says so in its own place, which is as wide before as after.
import { useEffect, useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'

const SHOWN = 2_000

export function CopyButton({ label, text, onCopied }: { label: string; text: () => string; onCopied: (said: string) => void }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    const done = await copyText(text())
    setCopied(done)
    onCopied(done ? 'Copied' : 'The browser blocked copying; select the text instead')
  }
  return (
    <button type="button" class="button copy" onClick={copy}>
      <span aria-hidden={isCopied}>{label}</span>
      {isCopied && <span class="copied">Copied</span>}
    </button>
  )
}
