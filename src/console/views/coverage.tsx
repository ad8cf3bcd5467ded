// What requests have tried of the API since the mock started, in all worlds: it fills while one clicks through an app.
import { arrange, countTried, type OperationReport, type Report } from '../../coverage/report.ts'
import { describeBeside } from '../../coverage/to-text.ts'
import { Chip } from '../parts/chip.tsx'
import { ViewHead } from '../parts/view-head.tsx'
import type { ViewProps } from './view.ts'

export function Coverage({ state, world, link }: ViewProps) {
  if (!state.coverage) return <p class="empty">Loading…</p>
  const report = arrange(state.coverage, state.operations, world.assumptions)
  const { tried, total, percent, requests } = report
  return (
    <>
      <ViewHead
        title="Coverage"
        lead={
          requests === 0
            ? 'No requests yet. Click through your app, or run its tests, and see here what they have tried of the API.'
            : `${tried} of ${total} cells (${percent}%) tried by ${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'} since the mock started, in every world; a reset changes nothing here.`
        }
      />
      <div class="stack">
        {report.operations.map((operation) => (
          <Operation key={operation.id} operation={operation} />
        ))}
        <Beside report={report} />
        <Questions report={report} link={link} />
      </div>
    </>
  )
}

function Operation({ operation: { id, isDeprecated, tried, total, rows } }: { operation: OperationReport }) {
  return (
    <section class="card" aria-label={`Coverage of ${id}`}>
      <div class="card-head">
        <h2>
          <code>{id}</code>
        </h2>
        <span class="numbers">
          {tried} of {total}
        </span>
      </div>
      <progress max={total} value={tried} aria-label={`Cells of ${id} that were tried`} />
      {isDeprecated && <p class="muted">Deprecated, so not in the percentage.</p>}
      <dl class="cells">
        {rows.map(({ name, cells }) => (
          <div key={name}>
            <dt>
              {name}{' '}
              <span class="numbers">
                {countTried(cells)}/{cells.length}
              </span>
            </dt>
            <dd>
              {cells.map((cell) => (
                <Cell key={cell.id} name={cell.name} count={cell.count} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Cell({ name, count }: { name: string; count: number }) {
  return (
    <Chip tone={count > 0 ? 'good' : 'plain'} sign={count > 0 ? '✓' : '–'}>
      {name}
      {count > 0 ? <span class="numbers"> {count}</span> : <span class="hidden"> not tried</span>}
    </Chip>
  )
}

function Beside({ report }: { report: Report }) {
  const lines = describeBeside(report)
  if (lines.length === 0) return null
  return (
    <section class="card" aria-label="Also seen">
      <h2>Also seen</h2>
      <dl class="cells">
        {lines.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Questions({ report: { questions }, link }: { report: Report; link: ViewProps['link'] }) {
  return (
    <section class="card" aria-label="Ask the owner of the API">
      <h2>Ask the owner of the API</h2>
      {questions.length === 0 && <p class="muted">Nothing yet: no response depended on what the spec leaves open.</p>}
      <ul class="rules">
        {questions.map(({ id, question, count }) => (
          <li key={id}>
            <a href={link('assumptions', id)}>{question}</a>{' '}
            <span class="muted numbers">
              used by {count.toLocaleString('en')} {count === 1 ? 'response' : 'responses'} since the mock started
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
