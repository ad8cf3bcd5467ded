// The yardstick: the least that node:http can do to send the same bytes. It answers from a table of recorded answers and
// looks at nothing of a request but its method, its target and the end of its body.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [answersFile, port] = process.argv.slice(2)
const answers = JSON.parse(readFileSync(answersFile, 'utf8'))

createServer((request, response) => {
  const { status, headers, body } = answers[`${request.method} ${request.url}`]
  const answer = () => {
    response.writeHead(status, headers)
    response.end(body)
  }
  if (request.method === 'GET') return answer()
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', answer)
}).listen(Number(port), '127.0.0.1')
