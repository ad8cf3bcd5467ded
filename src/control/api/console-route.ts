// The files of the console under `/__mock/`. They need no token: the page asks for it.
import { CONTROL_PATH } from '../protocol.ts'
import type { RouteReply } from './run-method.ts'

type ConsolePath = (typeof CONSOLE_PATHS)[number]
export type ReadConsoleFile = (
  path: ConsolePath,
) => Promise<{ readonly type: string; readonly body: string }>

const CONSOLE_PATHS = ['/', '/console.js', '/console.css'] as const
// The console names its files by relative addresses, so that it works wherever the mock is mounted.
const CONSOLE = `${CONTROL_PATH.slice(1)}/`
const TO_CONSOLE = { status: 307, body: `{"console":"${CONSOLE}"}`, headers: { Location: CONSOLE } }

/** The console runs only its own script and style, and talks only to the mock. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_FIELDS = {
  'Content-Security-Policy': POLICY,
  // Another page cannot frame it.
  'X-Frame-Options': 'DENY',
  // A page that opened the console, or that it opens, gets no hold on its window.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

export function findConsoleRoute(
  path: string,
  readFile: ReadConsoleFile | undefined,
): (() => RouteReply | Promise<RouteReply>) | undefined {
  if (path === CONTROL_PATH) return () => TO_CONSOLE
  const file = CONSOLE_PATHS.find((one) => CONTROL_PATH + one === path)
  if (file === undefined || !readFile) return undefined
  return () => sendFile(file, readFile)
}

async function sendFile(path: ConsolePath, readFile: ReadConsoleFile): Promise<RouteReply> {
  const { type, body } = await readFile(path)
  return { status: 200, body, headers: { 'Content-Type': type, ...PAGE_FIELDS } }
}
