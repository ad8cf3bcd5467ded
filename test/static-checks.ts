// The checks that run nothing of ours but the build: formatting, the contract, types, unused code.
// The build comes first, since types need its output; the others run side by side. Prints what
// failed.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Node would read the certificates at every start, and no check leaves this machine. */
const env = { ...process.env, FORCE_COLOR: '1', NODE_EXTRA_CA_CERTS: '' }
const SIDE_BY_SIDE = ['check', 'lint:spec', 'types', 'knip']

/** Runs an npm script, without the start of another npm; its output is shown only if it fails. */
function run(script: string): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn(scripts[script], { shell: true, stdio: ['ignore', 'pipe', 'pipe'], env })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk))
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? '✓' : '✗'} npm run ${script} (${seconds} s)`)
      if (code !== 0) process.stdout.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })
}

const results = (await run('build')) ? await Promise.all(SIDE_BY_SIDE.map(run)) : [false]
process.exitCode = results.every(Boolean) ? 0 : 1
