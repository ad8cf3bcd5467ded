// The files of `exec`: --coverage and --har. Once the command has ended, they describe this run or do not exist; until then older ones stay.
import { toHar } from '../client/to-har.ts'
import { UsageError } from '../contract/errors.ts'
import { createReport } from '../coverage/report.ts'
import { version } from '../generated/version.ts'
import type { Mock } from '../mock/mock.ts'
import { checkWritable, removeOld, replaceFile } from './replace-file.ts'
import { notify } from './say.ts'

interface RunFile {
  /** Its text, and what to say about it. */
  describe(mock: Mock, origin: string): { text: string; what: string }
  readonly mode: number
}

const toRequests = (count: number) => `${count} request${count === 1 ? '' : 's'}`

const files: Readonly<Record<'coverage' | 'har', RunFile>> = {
  coverage: {
    describe({ control }) {
      const coverage = control.coverage()
      const { tried, total, percent, requests } = createReport(coverage)
      return {
        text: `${JSON.stringify(coverage, null, 2)}\n`,
        what: `${tried} of ${total} cells tried (${percent}%) by ${toRequests(requests)}`,
      }
    },
    // World-readable: it holds no keys and no values.
    mode: 0o644,
  },
  har: {
    describe({ control }, origin) {
      const entries = control.requests({ sandbox: '*' })
      return { text: `${JSON.stringify(toHar(entries, { version, origin }), null, 2)}\n`, what: toRequests(entries.length) }
    },
    mode: 0o600,
  },
}

/** Tries the files first, so that a wrong path does not cost a test run. */
export async function createRunFiles(wanted: { readonly [Name in keyof typeof files]?: string | undefined }) {
  const named = (Object.keys(files) as (keyof typeof files)[]).flatMap((name) => {
    const file = wanted[name]
    // As from a variable that is not set.
    if (file === '') throw new UsageError(`--${name}: expected the name of a file, got an empty text`)
    return file === undefined ? [] : [{ ...files[name], file }]
  })
  for (const { file } of named) await checkWritable(file)
  return {
    async write(mock: Mock, url: string): Promise<void> {
      for (const { file, mode, describe } of named) {
        const { text, what } = describe(mock, new URL(url).origin)
        await replaceFile(file, text, mode)
        notify(`wrote ${file}: ${what}`)
      }
    },
    /** For a command that could not run, so that older files do not pass for its own. */
    async removeOld(): Promise<void> {
      for (const { file } of named) await removeOld(file)
    },
  }
}
