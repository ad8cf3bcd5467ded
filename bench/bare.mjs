// The yardstick: the least that node:http can do to send the same bytes. It looks up a recorded
// response by method and target and reads nothing else but the end of the body.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [recordedFile, port] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(recordedFile, 'utf8'))

createServer((request, response) => {
  const { status, headers, text } = recorded[`${request.method} ${request.url}`]
  const send = () => {
    response.writeHead(status, headers)
    response.end(text)
  }
  if (request.method === 'GET') return send()
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', send)
}).listen(Number(port), '127.0.0.1')
