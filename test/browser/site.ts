// A small web site for the browser suite: one page, bundled by Vite as an app's would be, and MSW's
// worker beside it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from 'vite'
import { WORKER_FOLDER } from './setup.ts'

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

export interface Site {
  /** Its address, on localhost. */
  readonly url: string
  close(): void
}

/**
 * Bundles the script and serves a page with it at `/`; any other path without a file gets a 404 in
 * plain text.
 */
export async function openSite(
  script: string,
  mode: 'development' | 'production' = 'production',
): Promise<Site> {
  const source = mkdtempSync(join(tmpdir(), 'site-'))
  writeFileSync(
    join(source, 'index.html'),
    `<!doctype html><title>Site</title><script type="module" src="${script}"></script>`,
  )
  const outDir = join(source, 'dist')
  await build({
    root: source,
    publicDir: WORKER_FOLDER,
    logLevel: 'warn',
    configFile: false,
    mode,
    define: { 'import.meta.env.DEV': String(mode === 'development') },
    build: { outDir, target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 2000 },
  })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    try {
      const content = readFileSync(join(outDir, path.replaceAll('..', '')))
      response
        .writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
        .end(content)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such file on this site')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/`,
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(source, { recursive: true, force: true })
    },
  }
}
