// What the timeline shows while there are no requests: an example to copy or to send.
import { contract } from '../../contract/generated/contract.ts'
import { renderCurl } from '../../control/text/copy-curl.ts'
import type { CommandRequest } from '../../control/text/copy-logged.ts'
import { renderFetch } from '../../control/text/copy-script.ts'
import { describeKeyRule, fieldsFor, workingKey } from '../../control/text/working-key.ts'
import { baseUrl, isInPage, isPlayer, mockUrl } from '../model/connection.ts'
import { read } from '../model/mock.ts'
import { currentSandbox, link, NEW } from '../model/route.ts'
import { capitalize, count } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { UNSAVED } from '../ui/chip.tsx'
import { Code } from '../ui/code.tsx'
import { copy } from '../ui/copy.ts'
import { findDrafted, sendRequest } from './send-form.tsx'

const TARGET = `${contract.operations.listPets.path}?status=available&limit=3`

export function QuickStart() {
  const state = read('state')
  const pets = read('summary')?.pets ?? 0
  const sandbox = currentSandbox()
  const key = workingKey(sandbox, state)
  const headers = fieldsFor(sandbox, key)
  const request: CommandRequest = { method: 'GET', mockUrl, target: TARGET, headers, body: '' }
  // No other program reaches a mock inside a page.
  const example = isInPage ? renderFetch(request) : renderCurl(request)
  return (
    <section class="start stack">
      <h2>
        {key === ''
          ? `${capitalize(describeKeyRule(state))}.`
          : `The store is open, with ${count(pets, 'animal')}.`}
      </h2>
      {isPlayer ? (
        <p class="muted">The mock is in this page. Send it the first request.</p>
      ) : (
        <p class="muted">
          Point your client at <code>{baseUrl}</code>, or send the first request.
        </p>
      )}
      {!isPlayer && <Code text={example} label="The first request" />}
      <div class="buttons">
        <MockButton class="button primary" onClick={() => sendRequest(request)}>
          Send it now
        </MockButton>
        {!isPlayer && (
          <Button onClick={() => copy(example)}>Copy as {isInPage ? 'fetch' : 'curl'}</Button>
        )}
        <a class="button" href={link('timeline', NEW)}>
          New request {findDrafted() && UNSAVED}
        </a>
      </div>
    </section>
  )
}
