// The page of the console: its script and its style as one small module of text, so that it is loaded the same way from the
// sources, from the package, and by whatever bundles them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { build, type RolldownOutput } from 'rolldown'
import { toLiteral, writeModule } from './module.ts'

/** Where the table of control methods is made. */
const TABLE = '/* @__PURE__ */ createMethods()'

export async function bundleConsole(root: string): Promise<RolldownOutput> {
  // Imported only now, because it imports generated modules.
  const { methods } = await import('../src/control/methods.ts')
  const routes = Object.entries(methods).map(([name, { method, path, args, body, isGlobal, of }]) => {
    return [name, { method, path, args, body, isGlobal, of }]
  })
  const output = await build({
    cwd: root,
    input: 'src/console/main.tsx',
    platform: 'browser',
    plugins: [
      {
        name: 'shorter-questions',
        // The mock says the defaults; `assume --why` and the docs say what the spec leaves open.
        transform: {
          filter: { id: /generated\/questions\.ts$/ },
          handler: (code) => code.replace(/^ *"(?:silence|default)": .*\n/gm, ''),
        },
      },
      {
        name: 'routes-without-schemas',
        // The mock checks what the page sends.
        transform: {
          filter: { id: /control\/methods\.ts$/ },
          handler(code) {
            if (!code.includes(TABLE)) throw new Error(`src/control/methods.ts: expected ${TABLE}`)
            return code.replace(TABLE, toLiteral(Object.fromEntries(routes)))
          },
        },
      },
    ],
    // Smaller than the automatic runtime by half a kilobyte.
    transform: {
      target: 'es2022',
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
    output: { format: 'esm', minify: true, comments: false, codeSplitting: false },
    write: false,
  })
  const read = (path: string) => readFileSync(join(root, 'src/console', path), 'utf8')
  const styles = readdirSync(join(root, 'src/console/styles')).sort()
  const css = styles.map((name) => read(`styles/${name}`)).join('\n')
  const files = {
    '/': { type: 'text/html; charset=utf-8', body: read('index.html') },
    '/console.js': { type: 'text/javascript; charset=utf-8', body: output.output[0].code },
    '/console.css': { type: 'text/css; charset=utf-8', body: transformSync(css, { loader: 'css', minify: true }).code },
  }
  writeModule(root, 'console', 'src/console/', `export const files = ${toLiteral(files)}`)
  return output
}
