// Asks for the token of the control API.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Token } from '../state/token.ts'

const PROBLEMS = { typed: 'Wrong token.', remembered: 'The remembered token is not valid any more.' }

export function Locked({ refused, onUnlock }: { refused: ReturnType<Token['source']>; onUnlock: (token: string) => void }) {
  const [token, setToken] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    onUnlock(token.trim())
  }
  return (
    <form class="card unlock" onSubmit={send}>
      <h1 tabIndex={-1}>Enter the control token</h1>
      <p>Use the one that this mock was started with. If none was set, the mock printed one when it started.</p>
      <label class="field">
        <span>Token</span>
        <input
          ref={field}
          type="password"
          class="mono"
          required
          autocomplete="off"
          aria-invalid={refused !== undefined}
          aria-describedby="token-problem"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p id="token-problem" class="problem-line" role="alert">
        {refused && PROBLEMS[refused]}
      </p>
      <button type="submit" class="button primary">
        Unlock
      </button>
    </form>
  )
}
