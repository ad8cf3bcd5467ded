// The snippets of docs/verify.md in other languages, run against a mock where the language is
// installed: they pass after the expected request, and fail with the reason without it.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/index.ts'
import { createMock } from '../../src/index.ts'
import { toCall } from '../support/call.ts'
import { fencesOf } from '../support/documents.ts'

const LANGUAGES = [
  { name: 'Python', fence: 'py', file: 'verify.py', command: ['python3'], check: '--version' },
  { name: 'Java', fence: 'java', file: 'Verify.java', command: ['java'], check: '-version' },
  { name: 'Go', fence: 'go', file: 'verify.go', command: ['go', 'run'], check: 'version' },
] as const

const USUAL_ADDRESS = 'http://127.0.0.1:7387/'

function isInstalled(program: string, check: string): boolean {
  return spawnSync(program, [check], { stdio: 'ignore' }).status === 0
}

describe.each(LANGUAGES)('the snippet in $name', ({ fence, file, command, check }) => {
  const [program, ...args] = command

  it.skipIf(!isInstalled(program, check))(
    'fails before the request came, and passes after it',
    { timeout: 60_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-snippet-'))
      const mock = createMock()
      const { url, close } = await serve(mock)
      onTestFinished(async () => {
        rmSync(folder, { recursive: true })
        await close()
      })
      const [snippet] = fencesOf(fence)
      const text = snippet?.text.replaceAll(USUAL_ADDRESS, url.replace('v1', '')) ?? expect.fail()
      expect(text).not.toContain(USUAL_ADDRESS)
      writeFileSync(join(folder, file), text)
      const run = () => promisify(execFile)(program, [...args, file], { cwd: folder })
      await expect(run()).rejects.toThrow('Received 0 requests')
      mock.answer(toCall('POST', '/v1/pets', { name: 'Rex', categoryId: 1 }))
      await run()
    },
  )
})
