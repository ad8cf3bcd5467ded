// What is in front of a worker on the internet: speaks TLS to clients and plain HTTP to the mock,
// and passes everything on.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** No authority has signed its certificate. */
export async function startTlsProxy(
  port: number,
): Promise<{ readonly origin: string; close(): void }> {
  const { key, cert } = createCertificate()
  const server = createServer({ key, cert }, (asked, answer) => {
    const { method, url, headers } = asked
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, close }
}

export function createCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  try {
    const flags =
      '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
    execFileSync(
      'openssl',
      ['req', '-x509', ...flags.split(' '), '-keyout', 'key.pem', '-out', 'cert.pem'],
      { cwd: folder, stdio: 'pipe' },
    )
    return {
      key: readFileSync(join(folder, 'key.pem')),
      cert: readFileSync(join(folder, 'cert.pem')),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
