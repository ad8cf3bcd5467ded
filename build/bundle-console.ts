// The page of the console: its script and its style as one small module of text, so that it is loaded the same way from the
// sources, from the package, and by whatever bundles them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { build, type Plugin, type RolldownOutput } from 'rolldown'
import { toLiteral, writeModule } from './module.ts'

/** What the page never asks for. */
const UNUSED = ['requests', 'clearRequests', 'clock.advance', 'coverage', 'removeSandbox', 'latency.get']

/** Replaces parts of a module that the page does not need. A part that is no longer there is an error: the page would grow. */
function replaceIn(id: RegExp, ...parts: readonly (readonly [part: RegExp, text: string])[]): Plugin {
  const replace = (code: string, [part, text]: (typeof parts)[number]) => {
    if (code.search(part) < 0) throw new Error(`${id}: expected ${part}`)
    return code.replace(part, () => text)
  }
  return { name: `shorter ${id}`, transform: { filter: { id }, handler: (code) => parts.reduce(replace, code) } }
}

export async function bundleConsole(root: string): Promise<RolldownOutput> {
  // Imported only now, because it imports generated modules.
  const { methods } = await import('../src/control/methods.ts')
  const { contract } = await import('../src/contract/generated/contract.ts')
  const operations = Object.values(contract.operations).map(({ operationId, method, path, body }) => {
    return [operationId, { operationId, method, path, body: body && { schema: body.schema } }]
  })
  const { PetStatus, NewPet } = contract.schemas
  const short = { basePath: contract.basePath, operations: Object.fromEntries(operations), schemas: { PetStatus, NewPet } }
  const used = Object.entries(methods).filter(([name]) => !UNUSED.includes(name))
  const routes = used.map(([name, { method, path, args, body, isGlobal, of }]) => [name, { method, path, args, body, isGlobal, of }])
  const output = await build({
    cwd: root,
    input: 'src/console/main.tsx',
    platform: 'browser',
    treeshake: { propertyReadSideEffects: false },
    plugins: [
      // The mock says the defaults; `assume --why` and the docs say what the spec leaves open, and why.
      replaceIn(/generated\/questions\.ts$/, [/^ *"(?:silence|default|why)": .*\n/gm, '']),
      // The mock lists its scenarios; a copied test needs only their names.
      replaceIn(/generated\/scenario-list\.ts$/, [/^ *"(?:description|pets)": .*\n/gm, '']),
      // A browser reads and writes the digits of any number. The mock keeps its own limits.
      replaceIn(
        /contract\/int64-json\.ts$/,
        [
          /(?<=export const toJson = )[\s\S]*?\?\? 'null'/,
          `(value, indent = 0) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? (JSON.rawJSON?.(one) ?? String(one)) : one), indent) ?? 'null'`,
        ],
        [
          /(?<=export function parseJson\()[\s\S]*?^\}/m,
          `text) {
  return JSON.parse(text, (_, value, { source } = {}) => (typeof value === 'number' && /^-?\\d+$/.test(source) ? toNumber(source) : value))
}`,
        ],
      ),
      // The page reads the events itself, has a client for each sandbox, and the mock checks its calls.
      replaceIn(
        /client\/client\.ts$/,
        [/async function subscribe[\s\S]*?^ {2}\}$/m, 'const subscribe = undefined'],
        // It says how many rows it wants.
        [/hasRows\(name\)/g, 'false'],
        [/sandbox: ofSandbox, /, ''],
        [/ {4}await before\?.*\n/, ''],
        [/, HEADERS\.total\]/, ']'],
        [/, \.\.\.\(total !== undefined && \{ total \}\)/, ''],
      ),
      // The mock says what is wrong with a call.
      replaceIn(
        /contract\/errors\.ts$/,
        [/ {2}static override [\s\S]*?^ {2}\}\n/m, ''],
        [/message === undefined \? listProblems.*/, "typeof given === 'string' ? [] : given"],
        [/message \?\? .*(?=\))/, 'message ?? given'],
      ),
      // The page asks only which keys are listed.
      replaceIn(/world\/scenario\.ts$/, [/Object\.fromEntries\(assumptions\.map.*$/m, '{}']),
      // What the forms are made of.
      replaceIn(/generated\/contract\.ts$/, [/contract = [\s\S]*?(?=^export)/m, `contract = ${toLiteral(short)}\n`]),
      // The page needs no `query`, `petId` or `json` of a request.
      replaceIn(/world\/row\.ts$/, [/Object\.defineProperties\(row as RequestRow, \{[\s\S]*?^ {2}\}\)/m, 'row']),
      // The mock checks what the page sends.
      replaceIn(
        /control\/methods\.ts$/,
        [/\/\* @__PURE__ \*\/ createMethods\(\)/, toLiteral(Object.fromEntries(routes))],
        [/^ {2}sandboxes: 'X.*\n/m, ''],
        [/^ {2}openapi: .*\n {2}mcp: .*\n/m, ''],
        [/^ {2}checkValue\(\{ enum.*\n.*\n.*\n/m, '  return given\n'],
        [/checkValue\(OBJECT, rest[\s\S]*?misuse\(.*\n/, 'rest\n'],
      ),
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
  writeModule(root, 'hosts/console', 'src/console/', `export const files = ${toLiteral(files)}`)
  return output
}
