// The Arazzo flows against a running mock, by `redocly respect`, which also checks every response
// against the contract.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/index.ts'

interface Report {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: { workflowId: string; executedSteps: Step[] }[] }>
  >
}

interface Step {
  readonly stepId: string
  readonly checks: { name: string; status: string; message?: string }[]
}

const FLOWS = fileURLToPath(new URL('../../spec/flows/animal-store.arazzo.yaml', import.meta.url))
const REDOCLY = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
)
const ENVIRONMENT = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
}

/** Runs all flows against an address. */
async function walk(url: string): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'arazzo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const args = [
    REDOCLY,
    'respect',
    FLOWS,
    '--server',
    `store=${url}`,
    '--input',
    'authorization=Bearer flow-key',
    '--json-output',
    report,
  ]
  // It ends with 1 if a check fails; what failed is in the report.
  const said = await promisify(execFile)(process.execPath, args, {
    env: ENVIRONMENT,
    timeout: 60_000,
  }).catch((error) => error)
  return readFile(report, 'utf8').then(JSON.parse, () =>
    Promise.reject(new Error(`no report: ${said.stdout}${said.stderr}`)),
  )
}

function toChecks({ files }: Report) {
  return Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ workflowId, executedSteps }) =>
      executedSteps.flatMap(({ stepId, checks }) =>
        checks.map(({ name, status, message }) => ({
          step: `${workflowId}/${stepId}`,
          name,
          status,
          message,
        })),
      ),
    ),
  )
}

it('the mock passes every Arazzo flow', { timeout: 90_000 }, async () => {
  const mock = createMock()
  const { url, close } = await serve(mock)
  onTestFinished(close)
  const checks = toChecks(await walk(url))
  expect(checks.filter(({ status }) => status !== 'success')).toEqual([])
  expect([...new Set(checks.map(({ step }) => step))]).toEqual([
    ...['list-before', 'create', 'get', 'list-by-status', 'list-by-another-status'].map(
      (step) => `add-an-animal/${step}`,
    ),
    ...['list', 'get', 'create'].map((step) => `call-without-a-valid-key/${step}`),
    ...['without-a-category', 'with-another-status', 'not-there', 'not-under-an-unknown-id'].map(
      (step) => `add-an-invalid-animal/${step}`,
    ),
  ])
  expect(mock.control.requests().map(({ status }) => status)).toEqual([
    200, 201, 200, 200, 200, 401, 401, 401, 400, 400, 200, 404,
  ])
})

it('an Arazzo flow fails at the steps where the mock fails', { timeout: 90_000 }, async () => {
  const { url, close } = await serve(createMock({ faults: [{ operation: 'getPet', status: 500 }] }))
  onTestFinished(close)
  const failed = toChecks(await walk(url)).filter(({ status }) => status !== 'success')
  expect(new Set(failed.map(({ step }) => step))).toEqual(
    new Set(['add-an-animal/get', 'add-an-invalid-animal/not-under-an-unknown-id']),
  )
})
