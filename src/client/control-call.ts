// One call of the control API: sends it, checks that this mock responded, and reads what it said, exact at int64 both ways. Whatever goes
// wrong, a stranger's response included, is one ControlError; how requests are carried is up to the transport.

import { CONTROL_PATH } from '../contract/control-path.ts'
import { JsonError, parseJson, toJson } from '../contract/int64-json.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import type { MockEvent } from '../control/control.ts'
import { readEvents } from './events.ts'
import * as shapes from './shapes.ts'
import type { ControlTransport, TransportRequest, TransportResponse } from './transport.ts'

/**
 * Why a call failed: `unreachable`, there was no response or only part of one; `stranger`, the response is not this mock's;
 * `refused`, the mock said no.
 */
type Failure = 'unreachable' | 'stranger' | 'refused'

/** A call of the control API failed. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly failure: Failure
  /** Of the response; 0 if there was none. */
  readonly status: number

  constructor(failure: Failure, status: number, message: string) {
    super(message)
    this.failure = failure
    this.status = status
  }

  /** What the mock found wrong, one line each. */
  get problems(): string[] {
    return this.message.split('\n')
  }
}

/** The token to send, and the sandbox whose world is meant. */
export interface ControlScope {
  readonly token?: string | undefined
  readonly sandbox?: string | undefined
}

export interface EventOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal
  /** Called for every sign of life, the mock's heartbeat included. */
  readonly onActivity?: () => void
}

export interface ControlCalls {
  /** Any route: the value of its response, checked against `shape` if there is one. `path` may have a query. */
  call<T>(method: string, path: string, body?: unknown, shape?: Schema): Promise<T>
  /** Resolves once the mock is listening; the events are of one sandbox where the scope names one, else of all worlds. */
  events(options?: EventOptions): Promise<AsyncIterable<MockEvent>>
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'
const UNREACHABLE = 'The mock does not respond: is it still running?'

/** `scope` is read anew for every call, so that a token or a sandbox can be chosen later. */
export function createControlCalls(transport: ControlTransport, scope: () => ControlScope): ControlCalls {
  async function send(request: Omit<TransportRequest, 'headers'>, fields: Readonly<Record<string, string>>): Promise<TransportResponse> {
    const { token, sandbox } = scope()
    const headers = { ...fields, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const target = CONTROL_PATH + withSandbox(request.target, sandbox)
    const response = await orUnreachable(transport({ ...request, target, headers }))
    if (response.status < 200 || response.status > 299) throw toRefusal(response.status, await orUnreachable(response.text()))
    return response
  }

  async function call<T>(method: string, target: string, body?: unknown, shape?: Schema): Promise<T> {
    const request = { method, target, ...(body === undefined ? {} : { body: toJson(body) }) }
    const response = await send(request, toFields(method, body))
    if (response.status === 204) return undefined as T
    checkType(response, JSON_TYPE)
    return parse(response.status, await orUnreachable(response.text()), shape) as T
  }

  async function events({ signal, onActivity }: EventOptions = {}): Promise<AsyncIterable<MockEvent>> {
    const request = { method: 'GET', target: '/events', ...(signal ? { signal } : {}) }
    const response = await send(request, { accept: EVENTS })
    checkType(response, EVENTS)
    return parseEvents(response, onActivity)
  }

  return { call, events }
}

/** A write without a body needs a header that no plain link can send. */
function toFields(method: string, body: unknown): Readonly<Record<string, string>> {
  if (body !== undefined) return { 'content-type': JSON_TYPE }
  return method === 'GET' ? {} : { 'x-mock-control': '1' }
}

function withSandbox(target: string, sandbox: string | undefined): string {
  if (sandbox === undefined) return target
  return `${target}${target.includes('?') ? '&' : '?'}sandbox=${encodeURIComponent(sandbox)}`
}

function orUnreachable<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error) => {
    throw error instanceof ControlError ? error : new ControlError('unreachable', 0, UNREACHABLE)
  })
}

function toStranger(status: number): ControlError {
  return new ControlError('stranger', status, `The response is not from this mock (status ${status})`)
}

/** The mock's own refusals have the service's Error shape; anything else is not the mock. */
function toRefusal(status: number, text: string): ControlError {
  const error = tryParse(text)
  if (error === undefined || findViolations(shapes.error(status), error).length > 0) return toStranger(status)
  return new ControlError('refused', status, (error as { message: string }).message)
}

/** Before anything is read: a stranger's page may have no end. */
function checkType(response: TransportResponse, type: string): void {
  if (response.contentType.toLowerCase().split(';')[0]?.trim() === type) return
  response.cancel()
  throw toStranger(response.status)
}

function parse(status: number, text: string, shape: Schema = {}): unknown {
  const value = tryParse(text)
  if (value === undefined || findViolations(shape, value).length > 0) throw toStranger(status)
  return value
}

async function* parseEvents(response: TransportResponse, onActivity: (() => void) | undefined): AsyncGenerator<MockEvent, void> {
  const chunks = onActivity ? tap(response.chunks(), onActivity) : response.chunks()
  for await (const { data } of readEvents(chunks)) {
    const value = tryParse(data)
    if (value === undefined || findViolations(shapes.event, value).length > 0) throw toStranger(response.status)
    yield value as unknown as MockEvent
  }
}

async function* tap(chunks: AsyncIterable<string>, onChunk: () => void): AsyncGenerator<string, void> {
  for await (const chunk of chunks) {
    onChunk()
    yield chunk
  }
}

/** Undefined if it is not JSON. */
function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
