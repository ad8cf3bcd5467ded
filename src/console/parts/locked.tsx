// Asks for the token of the control API.
import { useEffect, useRef, useState } from 'preact/hooks'

export function Locked({ isWrong, onUnlock }: { isWrong: boolean; onUnlock: (token: string) => void }) {
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
      <p>This mock is reachable from the network or was started with a token. It printed the token when it started.</p>
      <label class="field">
        <span>Token</span>
        <input
          ref={field}
          type="password"
          class="mono"
          required
          autocomplete="off"
          aria-invalid={isWrong}
          aria-describedby="token-problem"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p id="token-problem" class="problem-line" role="alert">
        {isWrong ? 'Wrong token.' : ''}
      </p>
      <button type="submit" class="button primary">
        Unlock
      </button>
    </form>
  )
}
