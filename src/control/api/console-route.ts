// The files under `/__mock/`: the console, and the player under `/__mock/play/`. They need no
// token: the console asks for it, and the player has a mock of its own.
import { ApiError } from '../../contract/errors.ts'
import { CONTROL_PATH } from '../protocol.ts'
import { HEADER_POLICY } from './page-policy.ts'
import type { RouteReply } from './run-method.ts'

interface PageFile {
  readonly type: string
  readonly body: string
}

type ConsolePath = (typeof CONSOLE_PATHS)[number]
export type ReadConsoleFile = (path: ConsolePath) => Promise<PageFile>
/** By its name below `/__mock/play/`, which is empty for the page; undefined if there is none. */
export type ReadPlayerFile = (name: string) => Promise<PageFile | undefined>

/** What a host has of them. */
export interface PageReaders {
  /** Where the host keeps the built console; without it, there is no console under `/__mock/`. */
  readonly readConsoleFile?: ReadConsoleFile
  readonly readPlayerFile?: ReadPlayerFile
}

type Route = () => RouteReply | Promise<RouteReply>

const CONSOLE_PATHS = ['/', '/console.js', '/console.css'] as const
const PLAYER_PATH = `${CONTROL_PATH}/play`
// A page names its files by relative addresses, so that it works wherever the mock is mounted.
const CONSOLE = `${CONTROL_PATH.slice(1)}/`
const TO_CONSOLE = { status: 307, body: `{"console":"${CONSOLE}"}`, headers: { Location: CONSOLE } }
const TO_PLAYER = { status: 307, body: '{"player":"play/"}', headers: { Location: 'play/' } }

const PAGE_FIELDS = {
  'Content-Security-Policy': HEADER_POLICY,
  // Another page cannot frame it.
  'X-Frame-Options': 'DENY',
  // A page that opened the console, or that it opens, gets no hold on its window.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

export function findConsoleRoute(path: string, readers: PageReaders): Route | undefined {
  const { readConsoleFile } = readers
  if (path === CONTROL_PATH) return () => TO_CONSOLE
  const file = CONSOLE_PATHS.find((one) => CONTROL_PATH + one === path)
  if (file === undefined || !readConsoleFile) return undefined
  return async () => send(await readConsoleFile(file))
}

export function findPlayerRoute(path: string, readers: PageReaders): Route | undefined {
  const { readPlayerFile } = readers
  if (!readPlayerFile) return undefined
  if (path === PLAYER_PATH) return () => TO_PLAYER
  if (!path.startsWith(`${PLAYER_PATH}/`)) return undefined
  return async () => send(await readPlayerFile(path.slice(PLAYER_PATH.length + 1)))
}

function send(file: PageFile | undefined): RouteReply {
  if (!file) throw new ApiError(404, 'The player has no such file')
  return { status: 200, body: file.body, headers: { 'Content-Type': file.type, ...PAGE_FIELDS } }
}
