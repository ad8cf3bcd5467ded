import { type Calibration, calibrate } from '../../calibrate/calibrate.ts'
import { createProbes, describeProbe, type Probe, TIERS } from '../../calibrate/probe.ts'
import { parseAddress } from '../../calibrate/send-probe.ts'
import { UsageError } from '../../contract/errors.ts'
import { escapeInJson, toJsonText } from '../../contract/escape.ts'
import { joinWords } from '../../contract/problem.ts'
import { checkWritable, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { defineCommand, json, oneOf } from '../lib/flags.ts'
import { formatOf, notify, print, printLines, toDocumentText } from '../lib/output.ts'

const EXIT_CODES: Readonly<Record<Calibration['outcome'], number>> = {
  matches: 0,
  differs: 1,
  'could not check': 3,
}
const STAGING = 'https://staging.example.com/v1'
const KEY_HELP = 'Set ANIMAL_STORE_REAL_KEY to an API key of the service'

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
    json,
    dryRun: { syntax: '--dry-run', help: 'print the requests and send nothing' },
  },
  examples: [`calibrate ${STAGING} --dry-run`, `calibrate ${STAGING} -o reality.yaml`],
  notes: [
    `${KEY_HELP}.`,
    'Exit code 0 if the service matches, 1 if it differs, 3 if that could not be checked.',
  ],
  async run({ probe, output, json: isJson, dryRun }, [baseUrl = '']: readonly string[]) {
    parseAddress(baseUrl)
    const toLine = (one: Probe) =>
      `${describeProbe(one)}${one.ifRefused ? ' (if the one before is refused)' : ''}`
    if (dryRun) return printLines(createProbes(probe).map(toLine))
    const outputFormat = output === undefined ? 'yaml' : formatOf(output)
    if (output !== undefined) await checkWritable(output)
    const result = await calibrate({ baseUrl, probe, apiKey: readRealKey(probe) })
    await print(isJson ? toJsonText(result) : renderCalibration(result))
    process.exitCode = EXIT_CODES[result.outcome]
    if (output === undefined) return
    if (Object.keys(result.scenario.assume ?? {}).length === 0)
      return notify(`${output} was not written, since no choice was seen`)
    await replaceFile(output, await toDocumentText(result.scenario, outputFormat), PUBLIC)
  },
})

/** Never from a flag, which other users of the machine could read. */
function readRealKey(probe: string): string {
  const key = process.env.ANIMAL_STORE_REAL_KEY?.trim()
  if (!key) throw new UsageError(KEY_HELP)
  if (probe !== 'read')
    notify(
      'Sends animals that the service must refuse; if it does not check them, it could store one',
    )
  if (probe === 'create-animal') notify('Creates an animal; the API cannot delete it')
  return key
}

function renderCalibration({ outcome, findings, scenario: { calibrated } }: Calibration): string {
  const lines = findings.map(
    (one) => `${one.verdict.padEnd(17)}  ${one.subject.padEnd(17)}  ${one.detail}\n`,
  )
  return escapeInJson(`${lines.join('')}${calibrated?.against}, ${calibrated?.on}: ${outcome}\n`)
}
