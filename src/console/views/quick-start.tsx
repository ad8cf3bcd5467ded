// The request log without requests: how to point a client at this mock, and a first request to send.
import { useState } from 'preact/hooks'
import { contract } from '../../generated/contract.ts'
import { notify } from '../actions.ts'
import { baseUrl, mockUrl } from '../connection.ts'
import { renderCurl } from '../copy/curl.ts'
import { renderFetch } from '../copy/script.ts'
import { authorize, workingKey } from '../entry.ts'
import { adviseOnKey } from '../explain.ts'
import { use } from '../mock.ts'
import { currentSandbox } from '../route.ts'
import { count } from '../text.ts'
import { Button, Copy } from '../ui/controls.tsx'
import { sendRequest } from './send-form.tsx'

const TARGET = `${contract.operations.listPets.path}?status=available&limit=3`

const SNIPPETS: Readonly<Record<string, (key: string) => string>> = {
  curl: (key) => renderCurl(firstRequest(key)),
  fetch: (key) => renderFetch(firstRequest(key)),
  '.env': (key) => `API_BASE_URL=${baseUrl}\nAPI_KEY=${key}`,
}

export function QuickStart() {
  const [tab, setTab] = useState('curl')
  const sandbox = currentSandbox()
  const pets = use('summary')?.pets ?? 0
  const state = use('state')
  const key = workingKey(sandbox, state)
  const snippet = SNIPPETS[tab]?.(key) ?? ''
  const send = async () => {
    const { text } = await sendRequest(firstRequest(key))
    notify(`Sent: ${text}`)
  }
  return (
    <section class="start">
      <h2>{key === '' ? 'The store is locked. No API key is valid.' : `The store is open, with ${count(pets, 'animal')}.`}</h2>
      <p class="muted">Point your client at the mock, or send the first request from here.</p>
      <Address name="Base URL" text={baseUrl} />
      {key !== '' && <Address name="API key" text={key} />}
      <div class="card snippet">
        <div class="tabs" role="tablist" aria-label="The same request as">
          {Object.keys(SNIPPETS).map((name) => (
            <button key={name} type="button" role="tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
            </button>
          ))}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
        <pre role="tabpanel" tabIndex={0} aria-label={tab}>
          {snippet}
        </pre>
        <footer class="buttons">
          <Button class="primary" onClick={send}>
            Send it now
          </Button>
          <Copy aria-label={`Copy as ${tab}`} text={() => snippet} />
          <span class="muted">{key !== '' && adviseOnKey(use('assumptions') ?? [])}</span>
        </footer>
      </div>
    </section>
  )
}

function Address({ name, text }: { name: string; text: string }) {
  return (
    <p class="address">
      <span class="muted">{name}</span> <code>{text}</code> <Copy aria-label={`Copy the ${name}`} text={() => text} />
    </p>
  )
}

function firstRequest(key: string) {
  return { method: 'GET', origin: mockUrl, target: TARGET, headers: authorize(key) }
}
