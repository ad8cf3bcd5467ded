// A mock in a page that loads this package as files: for the player, and for the console, which
// opens recordings beside a running mock.
import { createControlApi } from '../../control/api/api.ts'
import type { Transport } from '../../control/client/client.ts'
import { nameRow } from '../../control/rows/name-row.ts'
import { createMock, type Mock } from '../../mock/mock.ts'
import { chooseLogSize } from '../../mock/mock-options.ts'
import { readHead } from '../../scenario/recording/read.ts'
import { createLocalFetch } from '../local-fetch.ts'

/** How a client in the page reaches the mock. */
export type PageMock = Pick<Transport, 'control' | 'service'>

export interface OpenedRecording extends PageMock {
  /** What was opened, in a sentence. */
  readonly text: string
  /** How the console names the row with an id, if there is one. */
  nameRow(id: number): string | undefined
}

export function reachMock(mock: Mock): PageMock {
  const { answer } = createControlApi(mock.control, { isOn: true, token: undefined })
  return { control: createLocalFetch(answer), service: mock.fetch }
}

/** Opens a recording in a new mock, at its end. */
export async function openRecording(
  text: string,
  options: { readonly file: string },
): Promise<OpenedRecording> {
  const { file } = options
  const sandbox = readHead(text, file).sandboxes > 0
  const mock = createMock({ sandbox, requestLog: chooseLogSize(text) })
  const { control } = mock
  const opened = await control.openRecording(text, { file })
  return {
    ...reachMock(mock),
    text: opened.text,
    nameRow(id) {
      const rows = control.timeline({ sandbox: '*', limit: Number.MAX_SAFE_INTEGER })
      const row = rows.find((one) => one.id === id)
      return row && nameRow(row)
    },
  }
}
