// Asks by node:http, which sends a target and its fields as they are.
import { type Agent, request } from 'node:http'
import { Dropped, lowerCase, type Sent, type Wire } from './client.ts'

export function sendOverHttp(
  port: number,
  { method, target, headers, body }: Sent,
  agent: Agent | false = false,
): ReturnType<Wire> {
  return new Promise((resolve, reject) => {
    let head = ''
    let text = ''
    const fail = (cause: Error) => reject(new Dropped(head + text, { cause }))
    const sent = request(
      { host: '127.0.0.1', port, method, path: target, headers, agent },
      (response) => {
        head = `${response.statusCode} `
        response.setEncoding('utf8').on('error', fail)
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const { rawHeaders } = response
          const fields = rawHeaders.flatMap((name, index, all) =>
            index % 2 === 0 ? [[name, all[index + 1]] as [string, string]] : [],
          )
          resolve({ status: response.statusCode ?? 0, headers: lowerCase(fields), text })
        })
      },
    )
    sent.on('error', fail).end(body)
  })
}
