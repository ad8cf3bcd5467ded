// The request log without requests: how to point a client at this mock, and a first request to send.

import { renderCurl } from '../../client/copy/curl.ts'
import { authorize, workingKey } from '../../client/copy/logged.ts'
import { contract } from '../../generated/contract.ts'
import { notify } from '../actions.ts'
import { baseUrl, mockUrl, serverUrl } from '../connection.ts'
import { adviseOnKey } from '../explain.ts'
import { use } from '../mock.ts'
import { currentSandbox } from '../route.ts'
import { count } from '../text.ts'
import { Act, Copy } from '../ui/controls.tsx'
import { Json } from '../ui/json.tsx'
import { sendRequest } from './send-form.tsx'

const TARGET = `${contract.operations.listPets.path}?status=available&limit=3`

export function QuickStart() {
  const pets = use('summary')?.pets ?? 0
  const key = workingKey(currentSandbox(), use('state'))
  const request = { method: 'GET', origin: mockUrl, target: TARGET, headers: authorize(key) }
  const curl = renderCurl({ ...request, origin: serverUrl })
  const send = async () => {
    const { text } = await sendRequest(request)
    notify(`Sent: ${text}`)
  }
  return (
    <section class="start">
      <h2>{key === '' ? 'The store is locked. No API key is valid.' : `The store is open, with ${count(pets, 'animal')}.`}</h2>
      <p class="muted">Point your client at the mock, or send the first request from here.</p>
      <Address name="Base URL" text={baseUrl} />
      {key !== '' && <Address name="API key" text={key} />}
      <Json text={curl} label="The first request" />
      <div class="buttons">
        <Act class="button primary" onClick={send}>
          Send it now
        </Act>
        <Copy text={() => curl}>Copy as curl</Copy>
        <span class="muted">{key !== '' && adviseOnKey(use('assumptions') ?? [])}</span>
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
