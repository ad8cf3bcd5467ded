// Serves files as GitHub Pages does: `/testing` is testing.html, and a folder its index.html.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

export interface ServedFolder {
  readonly url: string
  close(): void
}

/** `base` is the path of the site, such as `/` or `/animal-store-mock/`. */
export async function serveFolder(folder: string, base: string): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : undefined
    const file = path === undefined ? undefined : findFile(folder, decodeURIComponent(path))
    if (file === undefined) {
      response.writeHead(404).end('no such file on this site')
      return
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function findFile(folder: string, path: string): string | undefined {
  const file = join(folder, path)
  const candidates = [file, `${file}.html`, join(file, 'index.html')]
  return candidates.find((one) => existsSync(one) && statSync(one).isFile())
}
