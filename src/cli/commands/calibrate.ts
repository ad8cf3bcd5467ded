// `calibrate`: compares the real service, or recorded traffic, with the spec and the mock, and
// writes the world that it shows.
import { type Calibration, calibrate, type Finding } from '../../calibrate/calibrate.ts'
import { DEVIATIONS } from '../../calibrate/finding.ts'
import { createProbes, describeProbe, type Probe, TIERS, type Tier } from '../../calibrate/probe.ts'
import { parseAddress } from '../../calibrate/send-probe.ts'
import { UsageError } from '../../contract/errors.ts'
import { escapeInJson, toJsonText } from '../../contract/escape.ts'
import { joinWords } from '../../contract/problem.ts'
import { checkWritable, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { findScenario } from '../../hosts/node/scenario-files.ts'
import { ACCEPT_FILE, readAccepted } from '../lib/accepted-findings.ts'
import { calibrateFile } from '../lib/calibrate-file.ts'
import { defineCommand } from '../lib/command.ts'
import { describeCalibration } from '../lib/describe-calibration.ts'
import { json, oneOf } from '../lib/flags.ts'
import { checkJunit, type JunitCase, junit, writeJunit } from '../lib/junit.ts'
import { joinLines, notify, print, printLines } from '../lib/output.ts'
import { createProgress } from '../lib/progress.ts'
import { formatOf, renderDocument } from '../lib/render-document.ts'
import { REAL_KEY } from '../lib/variables.ts'

const EXIT_CODES: Readonly<Record<Calibration['outcome'], number>> = {
  matches: 0,
  differs: 1,
  'could not check': 3,
}
const STAGING = 'https://staging.example.com/v1'
const KEY_HELP = `Set ${REAL_KEY} to an API key of the service`

export const calibrateCommand = defineCommand({
  summary: 'learn the world of the real service, by asking it or from a HAR of its traffic',
  arguments: [['<url|file.har>', 'address of the service, with its /v1, or recorded traffic']],
  flags: {
    probe: {
      syntax: '--probe <tier>',
      ...oneOf(TIERS),
      help: `${joinWords(TIERS, 'or')} (the API cannot delete it)`,
    },
    output: {
      syntax: '-o, --output <file>',
      help: 'write a scenario with the animals and choices that the responses show',
    },
    scenario: {
      syntax: '-s, --scenario <name|file>',
      help: "compare with the choices of this scenario, not with the spec's defaults",
    },
    accept: {
      syntax: '--accept <id...>',
      help: `findings that are known and do not count; also in ${ACCEPT_FILE}`,
    },
    keepNames: {
      syntax: '--keep-names',
      help: 'leave the names of animals as they are, instead of inventing others',
    },
    junit,
    json,
    dryRun: { syntax: '--dry-run', help: 'print the requests and send nothing' },
  },
  examples: [
    `calibrate ${STAGING} --dry-run`,
    `calibrate ${STAGING} -o world.yaml`,
    'calibrate traffic.har -o world.yaml',
    'calibrate traffic.har --scenario world.yaml',
  ],
  notes: [
    `${KEY_HELP}; a file needs none.`,
    'Exit code 0 if nothing differs, 1 if something does, 3 if that could not be checked.',
  ],
  async run(flags, [source = '']: readonly string[]) {
    const { output } = flags
    const isAddress = /^https?:/i.test(source)
    if (isAddress) parseAddress(source)
    if (flags.dryRun) return printPlan(createProbes(flags.probe), flags.json)
    await checkJunit(flags.junit)
    const format = output === undefined ? 'yaml' : formatOf(output)
    if (output !== undefined) await checkWritable(output)
    const result = await (isAddress ? ask(source, flags) : read(source, flags))
    const lines = describeCalibration(result)
    await print(flags.json ? toJsonText(result) : escapeInJson(joinLines(lines)))
    await writeJunit(flags.junit, 'calibrate', result.findings.map(toCase))
    process.exitCode = EXIT_CODES[result.outcome]
    if (output === undefined) return
    if (result.rows.judged === 0)
      return notify(`${output} was not written, since no response could be read`)
    await replaceFile(output, await renderDocument(result.scenario, format), PUBLIC)
  },
})

interface Comparison {
  readonly probe: Tier
  readonly scenario?: string
  readonly accept?: readonly string[]
  readonly keepNames?: boolean
}

async function ask(baseUrl: string, flags: Comparison): Promise<Calibration> {
  const apiKey = readRealKey()
  warnOfWrites(flags.probe)
  const progress = createProgress('Asked')
  const options = await readComparison(flags)
  const asked = { ...options, baseUrl, apiKey, probe: flags.probe, onProgress: progress.show }
  return calibrate(asked).finally(progress.end)
}

async function read(file: string, flags: Comparison): Promise<Calibration> {
  const progress = createProgress('Read')
  const options = await readComparison(flags)
  return calibrateFile(file, { ...options, onProgress: progress.show }).finally(progress.end)
}

/** The choices already made, and the findings already known. */
async function readComparison({ scenario, accept, keepNames }: Comparison) {
  const { assume } = scenario === undefined ? {} : await findScenario(scenario)
  return { assume, accept: await readAccepted(accept), keepNames }
}

function printPlan(probes: readonly Probe[], isJson = false): Promise<void> {
  const planned = probes.map(describePlanned)
  return isJson ? print(toJsonText(planned)) : printLines(planned)
}

function toCase({ verdict, id, detail, isAccepted }: Finding): JunitCase {
  const result = `${verdict}: ${detail}`
  if (DEVIATIONS.includes(verdict) && !isAccepted) return { name: id, problem: result }
  if (verdict === 'confirmed') return { name: id }
  return { name: id, skipped: result }
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
