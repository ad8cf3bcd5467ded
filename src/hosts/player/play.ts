// The script of the player: it starts a mock in the page, from the recording in the fragment of the
// address or from its parameters, and then the console.
import { contract } from '../../contract/generated/contract.ts'
import type { Transport } from '../../control/client/client.ts'
import { createMock } from '../../mock/mock.ts'
import { LINK_NAME, readLink } from '../../scenario/recording/link.ts'
import { openRecording, type PageMock, reachMock } from './engine.ts'
import { readPlayground } from './playground.ts'

interface Shown extends PageMock {
  /** The place in the console. */
  readonly hash: string
  /** What the console says first. */
  readonly text?: string
}

const TIMELINE = '#/timeline'
/** Places of the console begin with a slash. */
const isLinkHash = () => /^#[^/]/.test(location.hash)

// Before the console sees it, which would take it for one of its places.
addEventListener('hashchange', (event) => {
  if (!isLinkHash()) return
  event.stopImmediatePropagation()
  location.reload()
})

start().catch(showProblem)

async function start(): Promise<void> {
  const { control, service, hash, text } = await (isLinkHash() ? openLink() : openPlayground())
  const transport: Transport = { control, service, baseUrl: location.origin + contract.basePath }
  Object.assign(globalThis, { animalStoreMock: transport })
  history.replaceState(text ?? null, '', hash)
  // @ts-expect-error: the bundle of the console, which is beside the bundle of this file.
  await import('./console.js')
}

async function openLink(): Promise<Shown> {
  const { hash: link } = location
  // First of all: a recording is not for the history, for other scripts or for a copied address.
  history.replaceState(null, '', location.pathname)
  const { recording, row = 0 } = await readLink(link)
  const { text, nameRow, ...mock } = await openRecording(recording, { file: LINK_NAME })
  const name = nameRow(row)
  const hash = name === undefined ? TIMELINE : `${TIMELINE}/${encodeURIComponent(name)}`
  return { ...mock, hash, text }
}

async function openPlayground(): Promise<Shown> {
  const mock = createMock(await readPlayground(location.search))
  // A reload makes another mock, without the rows of the last one.
  const hash = location.hash.startsWith(`${TIMELINE}/`) ? TIMELINE : location.hash
  return { ...reachMock(mock), hash: hash || TIMELINE }
}

function showProblem(error: unknown): void {
  const heading = document.createElement('h1')
  heading.textContent = 'This cannot be opened'
  const reason = document.createElement('p')
  reason.className = 'problem'
  reason.role = 'alert'
  reason.textContent = (error as Error).message
  const way = document.createElement('a')
  way.href = location.pathname
  way.textContent = 'Start an empty playground'
  const card = document.createElement('main')
  card.className = 'card unlock'
  card.append(heading, reason, way)
  document.body.append(card)
}
