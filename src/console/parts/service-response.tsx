// What came of a request that was sent from the page.
import type { ServiceAnswer } from '../state/send-request.ts'
import { AnswerChip } from './chip.tsx'
import { toDuration } from './instants.ts'
import { Message } from './message.tsx'

export function ServiceResponse({ answer }: { answer: ServiceAnswer | undefined }) {
  return (
    <div class="answer">
      <p class="facts-line" role="status">
        <Outcome answer={answer} />
      </p>
      {answer && 'status' in answer && <Message title="Response" headers={answer.headers} body={answer.body} />}
    </div>
  )
}

function Outcome({ answer }: { answer: ServiceAnswer | undefined }) {
  if (answer === undefined) return <span class="muted">The response appears here.</span>
  if ('failure' in answer) return <>{answer.failure}</>
  return (
    <>
      <AnswerChip status={answer.status} /> <span class="numbers muted">{toDuration(answer.took)}</span>
    </>
  )
}
