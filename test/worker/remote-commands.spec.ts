// The commands for a running mock, against a worker behind TLS.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFolder, runCli } from '../support/cli-process.ts'
import { startTlsProxy } from '../support/tls-proxy.ts'
import { startWorkerd } from '../support/workerd.ts'
import { createClient, TOKEN } from './http.ts'

it('take an https address, and the token by flag or variable', async () => {
  const workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  const { origin, certificate, close } = await startTlsProxy(workerd.port)
  onTestFinished(async () => {
    close()
    await workerd.stop()
  })
  const trusted = join(createFolder(), 'certificate.pem')
  writeFileSync(trusted, certificate)
  const run = async (line: string, env: Readonly<Record<string, string>> = {}) => {
    const { code, stdout, stderr } = await runCli([...line.split(' '), '--url', origin], { env: { NODE_EXTRA_CA_CERTS: trusted, ...env } })
    return code === 0 ? stdout : `${code} ${stderr}`
  }
  expect(await run('reset --sandbox ann-key')).toBe(
    '2 animal-store-mock: This mock requires its control token: pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN\n',
  )
  expect(await run('reset --sandbox ann-key --control-token a-wrong-token-of-some-length')).toBe(
    '2 animal-store-mock: Wrong control token: check --control-token or ANIMAL_STORE_CONTROL_TOKEN\n',
  )
  const env = { ANIMAL_STORE_CONTROL_TOKEN: TOKEN }
  expect(await run('seed sold-out --sandbox ann-key', env)).toMatch(/^Loaded sold-out \(\d+ animals\) and cleared the requests\n$/)
  expect(await run('reset --sandbox ann-kye', env)).toBe('2 animal-store-mock: There is no sandbox "ann-kye"; did you mean ann-key?\n')
  await createClient(() => workerd.port).create('ann-key', 'Rex')
  expect(await run(`requests --sandbox ann-key --control-token ${TOKEN}`)).toContain('POST')
  expect(await run('reset --sandbox ann-key', env)).toMatch(/^Reset to sold-out \(\d+ animals\)\n$/)
})
