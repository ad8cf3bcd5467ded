// `calibrate`: compares the real service with the spec and the mock.
import { type Calibration, calibrate, type Finding } from '../../calibrate/calibrate.ts'
import { DEVIATIONS } from '../../calibrate/judge.ts'
import { createProbes, describeProbe, type Probe, TIERS, type Tier } from '../../calibrate/probe.ts'
import { parseAddress } from '../../calibrate/send-probe.ts'
import { UsageError } from '../../contract/errors.ts'
import { escapeInJson, toJsonText } from '../../contract/escape.ts'
import { joinWords } from '../../contract/problem.ts'
import { checkWritable, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { defineCommand, json, oneOf } from '../lib/flags.ts'
import { checkJunit, type JunitCase, junit, writeJunit } from '../lib/junit.ts'
import { joinLines, notify, print, printLines } from '../lib/output.ts'
import { formatOf, renderDocument } from '../lib/render-document.ts'
import { REAL_KEY } from '../lib/variables.ts'

const EXIT_CODES: Readonly<Record<Calibration['outcome'], number>> = {
  matches: 0,
  differs: 1,
  'could not check': 3,
}
const COLUMN_WIDTH = 17
const STAGING = 'https://staging.example.com/v1'
const KEY_HELP = `Set ${REAL_KEY} to an API key of the service`

export const calibrateCommand = defineCommand({
  summary: 'compare the real service with the spec and with the choices made',
  arguments: [['<url>', 'address of the service, with its /v1']],
  flags: {
    probe: {
      syntax: '--probe <tier>',
      ...oneOf(TIERS),
      help: `${joinWords(TIERS, 'or')} (the API cannot delete it)`,
    },
    output: {
      syntax: '-o, --output <file>',
      help: 'write a scenario with the choices that the service shows',
    },
    junit,
    json,
    dryRun: { syntax: '--dry-run', help: 'print the requests and send nothing' },
  },
  examples: [`calibrate ${STAGING} --dry-run`, `calibrate ${STAGING} -o reality.yaml`],
  notes: [
    `${KEY_HELP}.`,
    'Exit code 0 if the service matches, 1 if it differs, 3 if that could not be checked.',
  ],
  async run(flags, [baseUrl = '']: readonly string[]) {
    const { probe, output } = flags
    parseAddress(baseUrl)
    if (flags.dryRun) return printPlan(createProbes(probe), flags.json)
    await checkJunit(flags.junit)
    const format = output === undefined ? 'yaml' : formatOf(output)
    if (output !== undefined) await checkWritable(output)
    const apiKey = readRealKey()
    warnOfWrites(probe)
    const result = await calibrate({ baseUrl, probe, apiKey })
    await print(flags.json ? toJsonText(result) : renderCalibration(result))
    await writeJunit(flags.junit, 'calibrate', result.findings.map(toCase))
    process.exitCode = EXIT_CODES[result.outcome]
    if (output === undefined) return
    if (Object.keys(result.scenario.assume ?? {}).length === 0)
      return notify(`${output} was not written, since no choice was seen`)
    await replaceFile(output, await renderDocument(result.scenario, format), PUBLIC)
  },
})

function printPlan(probes: readonly Probe[], isJson = false): Promise<void> {
  const planned = probes.map(describePlanned)
  return isJson ? print(toJsonText(planned)) : printLines(planned)
}

function toCase({ verdict, subject, detail }: Finding): JunitCase {
  const result = `${verdict}: ${detail}`
  if (DEVIATIONS.includes(verdict)) return { name: subject, problem: result }
  if (verdict === 'could not check' || verdict === 'undecided') {
    return { name: subject, skipped: result }
  }
  return { name: subject }
}

function describePlanned(probe: Probe): string {
  const condition = probe.ifRefused ? ' (if the one before is refused)' : ''
  return describeProbe(probe) + condition
}

/** Never from a flag, which other users of the machine could read. */
function readRealKey(): string {
  const key = process.env[REAL_KEY]?.trim()
  if (!key) throw new UsageError(KEY_HELP)
  return key
}

function warnOfWrites(tier: Tier): void {
  if (tier === 'read') return
  notify(
    'Sends animals that the service must refuse; if it does not check them, it could store one',
  )
  if (tier === 'create-animal') notify('Creates an animal; the API cannot delete it')
}

function renderCalibration(result: Calibration): string {
  const lines: string[] = []
  for (const { verdict, subject, detail } of result.findings)
    lines.push(`${verdict.padEnd(COLUMN_WIDTH)}  ${subject.padEnd(COLUMN_WIDTH)}  ${detail}`)
  const { calibrated } = result.scenario
  lines.push(`${calibrated?.against}, ${calibrated?.on}: ${result.outcome}`)
  return escapeInJson(joinLines(lines))
}
