// `calibrate`: compares the real service, or recorded traffic, with the spec and with the mock's choices.
import { basename } from 'node:path'
import { type CalibrateOptions, type Calibration, calibrate } from '../../calibrate/calibrate.ts'
import { describeProbe, listProbes, type Probe, parseAddress, readHar } from '../../calibrate/exchange.ts'
import { judge } from '../../calibrate/judge.ts'
import { UsageError } from '../../contract/errors.ts'
import { checkWritable, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { escapeInJson, escapeUnsafe } from '../../render/escape.ts'
import { readScenarioFile, readText } from '../../scenario/files.ts'
import { defineCommand, flagTables } from '../flags.ts'
import { formatOf, notify, print, toDocumentText, toMarkdown } from '../output.ts'

const EXIT_CODES: Readonly<Record<Calibration['outcome'], number>> = { matches: 0, differs: 1, 'could not check': 3 }
const KEY_HELP = 'Set ANIMAL_STORE_REAL_KEY to an API key of the service, or pass the key on standard input with --key-stdin'

export const calibrateCommand = defineCommand({
  summary: 'compare the real service with the spec and with the choices made',
  arguments: [['[url]', 'address of the service, with its /v1; none with --har']],
  flags: flagTables.calibrate,
  examples: [
    'calibrate https://staging.example.com/v1 --dry-run',
    'calibrate https://staging.example.com/v1 -o reality.yaml',
    'calibrate https://staging.example.com/v1 --expect reality.yaml',
    'calibrate --har recorded.har',
  ],
  notes: [`${KEY_HELP}.`, 'Exit code 0 if the service matches, 1 if it differs, 3 if that could not be checked.'],
  async run({ probe, keyStdin = false, har, expect: earlier, output, format, verbose = false, dryRun }, [url]) {
    if ((url === undefined) === (har === undefined)) {
      throw new UsageError('calibrate: name either the address of the service, or a recording with --har')
    }
    if (url !== undefined) parseAddress(url)
    const toLine = (one: Probe) => `${describeProbe(one)}${one.ifRefused ? ' (if the one before is refused)' : ''}\n`
    if (dryRun) return print(listProbes(probe).map(toLine).join(''))
    const outputFormat = output === undefined ? 'yaml' : formatOf(output)
    if (output !== undefined) await checkWritable(output)
    const expect = earlier === undefined ? {} : { expect: await readScenarioFile(earlier) }
    const result =
      har === undefined
        ? await ask({ baseUrl: url ?? '', probe, ...expect }, keyStdin)
        : judge({ against: escapeUnsafe(basename(har)), exchanges: readHar(await readText(har)), ...expect })
    const text = render(result, verbose)
    const json = () => toDocumentText(result, 'json')
    await print(await { json, md: () => toMarkdown(text), text: () => text }[format]())
    process.exitCode = EXIT_CODES[result.outcome]
    if (output === undefined) return
    const { choices = {}, deviations = [] } = result.scenario.calibrated ?? {}
    if (Object.keys(choices).length + deviations.length === 0) return notify(`${output} was not written, since no choice was seen`)
    const comments = outputFormat === 'yaml' ? render(result, true).replace(/^(?=.)/gm, '# ') : ''
    await replaceFile(output, comments + (await toDocumentText(result.scenario, outputFormat)), PUBLIC)
  },
})

async function ask(options: Omit<CalibrateOptions, 'apiKey'>, isOnStdin: boolean): Promise<Calibration> {
  const apiKey = await readKey(isOnStdin)
  if (options.probe !== 'read') notify('Sends animals that the service must refuse; if it does not check them, it could store one')
  if (options.probe === 'create-animal') notify('Creates an animal; the API cannot delete it')
  return calibrate({ ...options, apiKey })
}

function render({ outcome, findings, scenario }: Calibration, isVerbose: boolean): string {
  const shown = findings.filter(({ verdict }) => isVerbose || verdict !== 'as specified')
  const rest = findings.length - shown.length
  const end = `${scenario.calibrated?.against}, ${scenario.calibrated?.on}: ${outcome}${rest > 0 ? ` (as specified: ${rest} more)` : ''}\n`
  const lines = shown.map(({ verdict, subject, detail }) => `${verdict.padEnd(17)}  ${subject.padEnd(17)}  ${detail}\n`)
  return escapeInJson(lines.join('') + end)
}

/** Never from a flag, which other users of the machine could read. */
async function readKey(isOnStdin: boolean): Promise<string> {
  let text = ''
  // Leaving the loop closes standard input, which would otherwise keep the process running.
  for await (const chunk of isOnStdin ? process.stdin : [process.env.ANIMAL_STORE_REAL_KEY ?? '']) {
    text += chunk
    if (text.includes('\n')) break
  }
  const [key = ''] = text.trim().split('\n', 1)
  if (key === '') throw new UsageError(KEY_HELP)
  return key.trim()
}
