// A scenario as text: checked by the mock while one types, loaded or saved only when asked to.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ControlError } from '../../client/client.ts'
import type { Scenario } from '../../world/situation.ts'
import { saveFile } from '../parts/save-file.ts'
import type { Actions } from '../state/actions.ts'
import { describeCount, type ScenarioDraft, toLine } from '../state/scenario-draft.ts'
import { ScenarioPreview } from './scenario-preview.tsx'

interface ScenarioEditorProps {
  readonly draft: ScenarioDraft
  readonly statuses: readonly string[]
  readonly actions: Actions
  onClose(): void
  onReopen(): void
}

type Checked = { readonly scenario: Scenario } | { readonly problems: readonly string[] }

const CHECK_AFTER_MS = 300

export function ScenarioEditor({ draft, statuses, actions, onClose, onReopen }: ScenarioEditorProps) {
  const { file, text } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  const checked = useCheck(draft, actions)
  const problems = checked && 'problems' in checked ? checked.problems : []
  const change = (part: Partial<ScenarioDraft>) => actions.setDraft({ ...draft, ...part, isEdited: true })
  const load = async (event: SubmitEvent) => {
    event.preventDefault()
    if (await actions.loadDraft(draft)) onClose()
  }
  const close = () => {
    actions.closeDraft(draft, onReopen)
    onClose()
  }
  const save = () => {
    saveFile(file, text)
    actions.say(`Saved as ${file}`)
  }
  return (
    <form class="card editor" aria-label="Scenario as text" onSubmit={load}>
      <div class="row">
        <label class="field grow">
          <span>File name; .json for JSON, else YAML</span>
          <input
            type="text"
            class="mono"
            required
            maxLength={100}
            value={file}
            onInput={(event) => change({ file: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="button primary" disabled={problems.length > 0}>
          Load
        </button>
        <button type="button" class="button" onClick={save}>
          Save as file
        </button>
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
      <div class="editor-columns">
        <div class="lined" id="scenarios-edit">
          <Gutter text={text} area={area} bad={problems.map((problem) => toLine(problem, file))} />
          <textarea
            ref={area}
            class="mono"
            aria-label="Text of the scenario"
            aria-invalid={problems.length > 0}
            wrap="off"
            rows={24}
            spellcheck={false}
            value={text}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        </div>
        <div role="status" aria-label="Check">
          {!checked && <p class="muted">Checking…</p>}
          {checked && 'scenario' in checked && (
            <>
              <h2>Preview</h2>
              <ScenarioPreview scenario={checked.scenario} statuses={statuses} />
            </>
          )}
          {problems.length > 0 && (
            <>
              <h2>{describeCount(problems)}</h2>
              <ul class="problem-list mono">
                {problems.map((problem) => (
                  <li key={problem}>
                    <Problem problem={problem} line={toLine(problem, file)} onGo={(line) => selectLine(area.current, line)} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </form>
  )
}

function Problem({ problem, line, onGo }: { problem: string; line: number | undefined; onGo: (line: number) => void }) {
  if (line === undefined) return <bdi>{problem}</bdi>
  return (
    <button type="button" class="text-button" onClick={() => onGo(line)}>
      <bdi>{problem}</bdi>
    </button>
  )
}

/** The numbers of the lines, scrolled along with the text. */
function Gutter({
  text,
  area,
  bad,
}: {
  text: string
  area: { current: HTMLTextAreaElement | null }
  bad: readonly (number | undefined)[]
}) {
  const gutter = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const follow = () => {
      if (gutter.current) gutter.current.scrollTop = area.current?.scrollTop ?? 0
    }
    area.current?.addEventListener('scroll', follow)
    return () => area.current?.removeEventListener('scroll', follow)
  }, [])
  const lines = text.split('\n').length
  return (
    <div ref={gutter} class="gutter mono" aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class={bad.includes(index + 1) ? 'bad-line' : ''}>
          {index + 1}
        </div>
      ))}
    </div>
  )
}

function useCheck(draft: ScenarioDraft, actions: Actions): Checked | undefined {
  const [checked, setChecked] = useState<Checked>()
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const found = await readDraft(draft, actions)
      if (isCurrent) setChecked(found)
    }, CHECK_AFTER_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [draft.file, draft.text])
  return checked
}

async function readDraft(draft: ScenarioDraft, actions: Actions): Promise<Checked> {
  try {
    return { scenario: await actions.readDraft(draft) }
  } catch (error) {
    if (error instanceof ControlError) return { problems: error.message.split('\n') }
    throw error
  }
}

/** Selects a line, counted from 1, and scrolls to it. */
function selectLine(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
  area.focus()
  area.setSelectionRange(start, start + (lines[line - 1] ?? '').length)
  area.scrollTop = (area.scrollHeight / lines.length) * (line - 4)
}
