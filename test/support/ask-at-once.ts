// HTTP requests that block until they are answered. The specs use a mock's control as the plain,
// synchronous methods that it is; on a host in another process that takes a thread which waits for
// the network while this one stands still.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

export interface AskedAtOnce {
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface AnsweredAtOnce {
  readonly status: number
  readonly text: string
}

const THREAD = `
const { Agent, request } = require('node:http')
const { workerData: { port: answers, flag } } = require('node:worker_threads')
const agent = new Agent({ keepAlive: true })
function reply(answer) {
  answers.postMessage(answer)
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
answers.on('message', ({ body, ...asked }) => {
  request({ host: '127.0.0.1', agent, ...asked }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => { text += chunk })
    response.on('end', () => reply({ status: response.statusCode, text }))
  }).on('error', ({ message }) => reply({ status: 0, text: message })).end(body)
})`

const TIMEOUT_MS = 10_000

/** The thread ends with the process. */
export function createAskAtOnce(): (asked: AskedAtOnce) => AnsweredAtOnce {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { port: port2, flag },
    transferList: [port2],
    execArgv: [],
  })
  thread.unref()
  port1.unref()
  return (asked) => {
    Atomics.store(flag, 0, 0)
    port1.postMessage(asked)
    Atomics.wait(flag, 0, 0, TIMEOUT_MS)
    const answer = receiveMessageOnPort(port1)?.message as AnsweredAtOnce | undefined
    if (!answer?.status)
      throw new Error(
        `${asked.method} ${asked.path}: ${answer?.text ?? `no answer within ${TIMEOUT_MS} ms`}`,
      )
    return answer
  }
}
