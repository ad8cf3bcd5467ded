// The page of the console: its script and its style as one small module of text, so that it is
// loaded the same way from the sources, from the package, and by whatever bundles them. The page of
// the player is the same with another script, and with its policy, for hosts that cannot send it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { build, type RolldownOutput } from 'rolldown'
import { PAGE_POLICY } from '../src/control/api/page-policy.ts'
import { toLiteral, writeModule } from './module.ts'

export async function bundleConsole(root: string): Promise<RolldownOutput> {
  const output = await build({
    cwd: root,
    input: 'src/console/main.tsx',
    platform: 'browser',
    treeshake: { propertyReadSideEffects: false },
    // Smaller than the automatic runtime by half a kilobyte.
    transform: {
      target: 'es2022',
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
    output: { format: 'esm', minify: true, comments: false, codeSplitting: false },
    write: false,
  })
  const script = output.output[0].code
  const read = (path: string) => readFileSync(join(root, 'src/console', path), 'utf8')
  const styles = readdirSync(join(root, 'src/console/styles')).sort()
  const css = styles.map((name) => read(`styles/${name}`)).join('\n')
  const style = transformSync(css, { loader: 'css', minify: true }).code
  const files = {
    '/': { type: 'text/html; charset=utf-8', body: read('index.html') },
    '/console.js': { type: 'text/javascript; charset=utf-8', body: script },
    '/console.css': { type: 'text/css; charset=utf-8', body: style },
  }
  const playerPage = { ...files['/'], body: writePlayerPage(files['/'].body) }
  writeModule(
    root,
    'hosts/console',
    'src/console/',
    `export const files = ${toLiteral(files)}`,
    `export const playerPage = ${toLiteral(playerPage)}`,
  )
  return output
}

function writePlayerPage(page: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">`
  return page
    .replace('<head>', `<head>\n    ${policy}`)
    .replace('src="console.js"', 'src="play.js"')
}
