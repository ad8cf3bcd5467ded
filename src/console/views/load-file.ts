// A file that you choose, or drop anywhere on the page: a scenario, or a recording.
import { isRecordingFile } from '../../world/row.ts'
import { attempt, change } from '../model/actions.ts'
import { control } from '../model/connection.ts'
import { scope } from '../model/mock.ts'
import { notify } from '../model/notice.ts'
import { currentSandbox } from '../model/route.ts'
import { showHidden } from '../model/text.ts'
import { dialog } from '../ui/dialog.tsx'

const WARNING = 'It replaces the state and the timeline for good.'

/** If the file has problems, says them and changes nothing. */
export async function loadFile(file: File): Promise<void> {
  const { name } = file
  const text = await file.text()
  if (!isRecordingFile(name)) {
    const refuse = (problems: string) => sayProblems(name, problems)
    await change((mock) => mock.call('load', { scenario: { file: name, text } }), {
      onProblem: refuse,
    })
    return
  }
  const open = () => openRecording(name, text)
  if (await isUnused()) open()
  else dialog.value = { title: `Open ${showHidden(name)}?`, text: WARNING, verb: 'Open', run: open }
}

/** Whether opening a recording loses nothing. */
async function isUnused(): Promise<boolean> {
  const mock = control(scope())
  const rows = await mock.timeline({ limit: 1 }).catch(() => undefined)
  return currentSandbox() === null && rows?.length === 0
}

async function openRecording(name: string, text: string): Promise<void> {
  const row = await attempt(
    () => control(null).openRecording(text, { file: name }),
    (problems) => sayProblems(name, problems),
  )
  if (!row) return
  // The page starts again and says it then: rows that it has seen may have the ids of others now.
  history.replaceState(row.text, '', '#/timeline')
  location.reload()
}

function sayProblems(name: string, problems: string): void {
  notify(`Cannot load ${name}\n${problems}`, 'problem')
}

export function acceptFiles(): void {
  const onDrag = (event: DragEvent) => {
    event.preventDefault()
    const isOver = event.type === 'dragover' || event.relatedTarget !== null
    document.body.classList.toggle('dropping', isOver)
  }
  addEventListener('dragover', onDrag)
  addEventListener('dragleave', onDrag)
  addEventListener('drop', (event) => {
    onDrag(event)
    const file = event.dataTransfer?.files[0]
    if (file) loadFile(file)
  })
}
