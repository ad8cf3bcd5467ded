// The page of the console: its script and its style as one small module of text, so that it is loaded the same way from the
// sources, from the package, and by whatever bundles them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'

export async function bundleConsole(root: string): Promise<RolldownOutput> {
  const folder = join(root, 'src/console')
  const output = await build({
    cwd: root,
    input: 'src/console/main.tsx',
    platform: 'browser',
    transform: { target: 'es2022' },
    output: { format: 'esm', minify: true, comments: false, codeSplitting: false },
    write: false,
  })
  const styles = readdirSync(join(folder, 'styles')).sort()
  const files = {
    '/': { type: 'text/html; charset=utf-8', body: readFileSync(join(folder, 'index.html'), 'utf8') },
    '/console.js': { type: 'text/javascript; charset=utf-8', body: output.output[0].code },
    '/console.css': {
      type: 'text/css; charset=utf-8',
      body: styles.map((name) => toSmall(readFileSync(join(folder, 'styles', name), 'utf8'))).join(''),
    },
  }
  const text = `// Made by \`npm run build\` from src/console/: change that, not this.\n\nexport const files = ${JSON.stringify(files, null, 2)}\n`
  writeFileSync(join(root, 'src/generated/console.ts'), text)
  return output
}

/** A style sheet without its comments and most of its white space; there is none of either in its strings. */
function toSmall(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?|(?<=:) /g, '$1')
    .replace(/;}/g, '}')
    .trim()
}
