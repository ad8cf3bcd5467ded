// `calibrate`: compares the real service, or recorded traffic, with the spec and with the mock's choices.
import { basename } from 'node:path'
import { type Calibration, calibrate } from '../../calibrate/calibrate.ts'
import { judge } from '../../calibrate/judge.ts'
import { createProbes, describeProbe, type Probe, parseAddress } from '../../calibrate/probes.ts'
import { readHar } from '../../calibrate/read-har.ts'
import { escapeInJson } from '../../client/escape.ts'
import { UsageError } from '../../contract/errors.ts'
import { readScenarioFile, readText } from '../../scenario/files.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { formatOf, print, toDocumentText } from '../print-document.ts'
import { checkWritable, replaceFile } from '../replace-file.ts'
import { notify } from '../say.ts'

const EXIT_CODES: Readonly<Record<Calibration['outcome'], number>> = { matches: 0, differs: 1, 'could not check': 3 }
const KEY_HELP = 'Set ANIMAL_STORE_REAL_KEY to an API key of the service, or pass the key on standard input'

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
  async run({ probe, createAnimal, har, expect: earlier, output, format, verbose = false, dryRun }, [url]) {
    const tier = createAnimal ? 'writes' : probe
    const toLine = (one: Probe) => `${describeProbe(one)}${one.ifRefused ? ' (if the one before is refused)' : ''}\n`
    if (url !== undefined) parseAddress(url)
    if (dryRun) return print(createProbes(tier).map(toLine).join(''))
    const outputFormat = output === undefined ? 'yaml' : formatOf(output)
    if (output !== undefined) await checkWritable(output)
    const expect = earlier === undefined ? {} : { expect: await readScenarioFile(earlier) }
    if (har !== undefined) {
      const exchanges = readHar(await readText(har))
      await report(judge({ against: basename(har), start: new Date().toISOString(), exchanges, ...expect }))
    } else {
      if (url === undefined) throw new UsageError('calibrate: name the address of the service, or a recording with --har')
      const apiKey = await readKey()
      if (tier !== 'read') notify('Sends animals that the service must refuse; if it does not check them, it could store one')
      if (tier === 'writes') notify('Creates an animal; the API cannot delete it')
      await report(await calibrate({ baseUrl: url, apiKey, probe: tier, ...expect }))
    }

    async function report(result: Calibration): Promise<void> {
      await print(escapeInJson(format === 'json' ? `${JSON.stringify(result, null, 2)}\n` : render(result, format, verbose)))
      process.exitCode = EXIT_CODES[result.outcome]
      if (output === undefined) return
      if (Object.keys(result.scenario.assume ?? {}).length === 0) return notify(`${output} was not written, since no choice was seen`)
      const comments = outputFormat === 'yaml' ? escapeInJson(render(result, 'text', false)).replace(/^(?=.)/gm, '# ') : ''
      await replaceFile(output, comments + (await toDocumentText(result.scenario, outputFormat)), 0o644)
    }
  },
})

/** One line for each finding; responses that are as specified only if asked for. */
function render({ outcome, findings, scenario }: Calibration, format: 'text' | 'md', isVerbose: boolean): string {
  const shown = findings.filter(({ verdict }) => isVerbose || verdict !== 'as specified')
  const rest = findings.length - shown.length
  const end = `${scenario.calibrated?.against}, ${scenario.calibrated?.on}: ${outcome}${rest > 0 ? `; ${rest} more responses are as specified` : ''}\n`
  const cell = (text: string) => text.replace(/[\\|`*_<>[\]]/g, '\\$&')
  if (format === 'md') {
    const rows = shown.map(({ verdict, subject, detail }) => `| ${verdict} | ${cell(subject)} | ${cell(detail)} |\n`)
    return `| verdict | about | what was seen |\n|---|---|---|\n${rows.join('')}\n${end}`
  }
  const lines = shown.map(({ verdict, subject, detail, evidence }) => {
    const more = isVerbose ? evidence.map((line) => `${' '.repeat(19)}${line}\n`) : []
    return `${verdict.padEnd(17)}  ${subject.padEnd(17)}  ${detail}\n${more.join('')}`
  })
  return lines.join('') + end
}

/** From its variable or from standard input, never from a flag, which other users of the machine could read. */
async function readKey(): Promise<string> {
  let key = process.env.ANIMAL_STORE_REAL_KEY ?? ''
  if (key === '' && !process.stdin.isTTY) for await (const chunk of process.stdin) key += chunk
  if (key.trim() === '') throw new UsageError(KEY_HELP)
  return key.trim()
}
