// The console in an app's page, without a server: a button and a drawer. A frame keeps styles, keys
// and scripts apart.
import { mismatch } from '../contract/errors.ts'
import { CHECKED_LATER, type OptionSchemas, readOptions } from '../contract/options.ts'
import { createControlApi } from '../control/api/api.ts'
import type { Transport } from '../control/client/client.ts'
import { isFailure } from '../control/rows/reasons.ts'
import { type BaseUrl, baseUrlSchema, findApiUrl, parseBaseUrl } from '../mock/base-address.ts'
import type { Mock } from '../mock/mock.ts'
import { checkMock } from '../mock/respond.ts'
import { createLocalFetch } from './local-fetch.ts'
import { describeActive, makeMovable, showFailures } from './page/button.ts'
import { makeResizable } from './page/edge.ts'
import { embedConsole } from './page/embed.ts'
import { createFrame, goTo } from './page/frame.ts'
import { addParts } from './page/parts.ts'
import {
  applyPlacement,
  findOtherSide,
  findSide,
  keepPlacement,
  type Placement,
  recallPlacement,
  releaseApp,
} from './page/placement.ts'

/** How to open the console. */
export interface ConsoleOptions {
  /**
   * The address that the app calls, version segment included, for the requests that you copy.
   * @default that of the page
   */
  readonly baseUrl?: BaseUrl | undefined
  /** The element that it fills, as in a demo. @default its own button and drawer */
  readonly element?: Element | undefined
  /** Where it begins in that element: `#/animals`. @default the timeline */
  readonly hash?: string | undefined
}

const schemas: OptionSchemas<ConsoleOptions> = {
  ...baseUrlSchema,
  element: CHECKED_LATER,
  hash: { type: 'string', pattern: '^#/', title: 'a place in the console such as #/animals' },
}

/**
 * Adds a button to the page that opens the console of a mock in the page, or fills an element with
 * it, and returns a function that removes it.
 *
 * @example
 * if (import.meta.env.DEV) (await import('animal-store-mock/console')).openConsole(mock)
 */
export function openConsole(mock: Mock, options: ConsoleOptions = {}): () => void {
  checkMock('openConsole', mock)
  const given = readOptions<ConsoleOptions>('openConsole', schemas, options)
  const { baseUrl, element, hash = '' } = given
  parseBaseUrl(baseUrl)
  if (element !== undefined && !(element instanceof Element))
    throw mismatch('element', 'an element of the page', { got: element, caller: 'openConsole' })
  const { control } = mock
  const { answer } = createControlApi(control, { isOn: true, token: undefined })
  const reach = {
    baseUrl: findApiUrl(baseUrl),
    service: mock.fetch,
    control: createLocalFetch(answer),
  }
  if (element) return embedConsole(element, reach, hash)
  const parts = addParts()
  const { host, opener, active, failures, drawer, edge } = parts
  const placement = recallPlacement()
  const transport: Transport = {
    ...reach,
    drawer: {
      close,
      move: () => place({ side: findOtherSide(placement) ?? placement.side }),
      target: () => findOtherSide(placement),
    },
  }
  const ended = new AbortController()
  let frame: HTMLIFrameElement | undefined
  let focused: Element | null = null

  makeMovable(opener, placement, place, () => open(true))
  makeResizable(edge, drawer, (share) => place({ [findSide(placement)]: share }))
  edge.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
  })
  host.addEventListener('replace', remove)
  addEventListener('pagehide', remember, ended)
  addEventListener('resize', () => place({}), ended)
  const unsubscribe = control.subscribe((event) => {
    active.textContent = describeActive(control)
    if (event.type === 'request' && !placement.isOpen && isFailure(event.row))
      showFailures(failures, Number(failures.textContent) + 1)
  })
  place({})
  active.textContent = describeActive(control)
  // The focus stays with the app after a reload.
  if (placement.isOpen) open(false)
  return remove

  function open(takesFocus: boolean): void {
    const here = document.activeElement
    if (takesFocus) focused = here === host ? null : here
    remember()
    // You come to see what failed, not what you left open.
    if (failures.textContent) {
      placement.hash = '#/timeline'
      if (frame) goTo(frame, placement.hash)
    }
    showFailures(failures, 0)
    drawer.hidden = false
    opener.hidden = true
    place({ isOpen: true })
    // What was typed stays in it while it is hidden.
    if (frame) frame.contentWindow?.focus()
    else void addFrame(takesFocus)
  }

  async function addFrame(takesFocus: boolean): Promise<void> {
    const created = await createFrame(transport, placement.hash, takesFocus)
    if (drawer.hidden || frame) return
    frame = created
    drawer.append(frame)
  }

  function close(): void {
    drawer.hidden = true
    opener.hidden = false
    place({ isOpen: false })
    findNextFocus().focus()
  }

  function findNextFocus(): HTMLElement {
    if (!(focused instanceof HTMLElement) || focused === document.body) return opener
    return focused.isConnected ? focused : opener
  }

  function remove(): void {
    unsubscribe()
    ended.abort()
    releaseApp()
    host.remove()
  }

  function place(change: Partial<Placement>): void {
    Object.assign(placement, change)
    applyPlacement(parts, placement)
    remember()
  }

  function remember(): void {
    placement.hash = frame?.contentWindow?.location.hash || placement.hash
    keepPlacement(placement)
  }
}
