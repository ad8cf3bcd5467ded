// The request log without requests: how to point a client at this mock, and a first request to send.
import { useState } from 'preact/hooks'
import { contract } from '../../generated/contract.ts'
import { control, mockUrl } from '../connection.ts'
import { renderCurl } from '../copy/curl.ts'
import { renderFetch } from '../copy/script.ts'
import { workingKey } from '../entry.ts'
import { act, say } from '../messages.ts'
import { use } from '../mock.ts'
import { currentSandbox, go, link } from '../route.ts'
import { count } from '../text.ts'
import { Button, Copy, Pairs } from '../ui/controls.tsx'
import { sendRequest } from './send-form.tsx'

/** The address of the API. */
export const baseUrl = () => mockUrl + contract.basePath

const TARGET = `${contract.operations.listPets.path}?status=available&limit=3`

const SNIPPETS: Readonly<Record<string, (key: string) => string>> = {
  curl: (key) => renderCurl(firstRequest(key)),
  fetch: (key) => renderFetch(firstRequest(key)),
  '.env': (key) => `API_BASE_URL=${baseUrl()}\nAPI_KEY=${key}`,
  MSW: (key) =>
    `import { createHandlers } from 'animal-store-mock/msw'\nimport { setupServer } from 'msw/node'\n\nsetupServer(...createHandlers()).listen()\n${renderFetch(firstRequest(key))}`,
  Vitest: (key) =>
    [
      `import { mockStore } from 'animal-store-mock/vitest'\nimport { expect, it } from 'vitest'\n`,
      `const store = mockStore()\n`,
      `it('lists animals', async () => {`,
      `  const response = await fetch(\`\${store.url}${TARGET.slice(contract.basePath.length)}\`, { headers: { authorization: 'Bearer ${key}' } })`,
      '  expect(response.status).toBe(200)',
      '})',
    ].join('\n'),
}

export function QuickStart() {
  const [tab, setTab] = useState('curl')
  const sandbox = currentSandbox()
  const pets = use('summary')?.pets ?? 0
  const scenarios = use('scenarios', null)?.length ?? 0
  const state = use('state')
  const isAnyKey = use('assumptions')?.some(({ id, choice }) => id === 'valid-keys' && choice === 'any') !== false
  const key = workingKey(sandbox, state)
  const snippet = SNIPPETS[tab]?.(key) ?? ''
  const send = async () => {
    const { text } = await sendRequest(firstRequest(key))
    say(`Sent: ${text}`)
  }
  const failCreate = () =>
    act(async () => {
      await control().faults.add({ operation: 'createPet', status: 503, times: 2 })
      go({ view: 'faults' })
    })
  return (
    <section class="start">
      <h2>
        The store is open. {count(pets, 'animal')} {pets === 1 ? 'is' : 'are'} waiting.
      </h2>
      <p class="muted">Point your client at the mock, or send the first request from here.</p>
      <Pairs pairs={[toCopy('Base URL', baseUrl()), toCopy('API key', key)]} />
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
          <Copy title={`Copy as ${tab}`} text={() => snippet} />
          <span class="muted">{isAnyKey ? 'Any bearer token works, except the word “invalid”.' : 'Only listed keys are valid.'}</span>
        </footer>
      </div>
      <div class="three">
        <button type="button" class="card" onClick={failCreate}>
          <b>Break something</b>
          <span class="muted">Make createPet fail twice with 503</span>
        </button>
        <a class="card" href={link('scenarios')}>
          <b>Another scenario</b>
          <span class="muted">sold-out, crowded, tricky-names… {count(scenarios)} in all</span>
        </a>
        <a class="card" href={link('faults')}>
          <b>Travel in time</b>
          <span class="muted">To the day after getPet is removed</span>
        </a>
      </div>
    </section>
  )
}

function toCopy(name: string, text: string) {
  const value = (
    <span class="inline">
      <code>{text}</code> <Copy title={`Copy the ${name}`} text={() => text} />
    </span>
  )
  return [name, value] as const
}

function firstRequest(key: string) {
  return { method: 'GET', origin: mockUrl, target: TARGET, headers: { authorization: `Bearer ${key}` } }
}
