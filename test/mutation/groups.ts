// What is mutated together, which tests are asked, and what share of the mutants they have to notice.

export interface Group {
  /** The sources, as folders or files below src/. */
  readonly sources: readonly string[]
  /** Files among them that run elsewhere than their tests, where the switches do not reach. */
  readonly apart?: readonly string[]
  /** Which test files are asked, by their path and their text. */
  asks(file: string, text: string): boolean
  /** Which of their tests. */
  readonly tests?: RegExp
  /** Whether the tests start the command line as a process. */
  readonly startsCli?: boolean
  /** Whether they start workerd. */
  readonly startsWorkerd?: boolean
  /** The share of mutants, in percent, that must be noticed. */
  readonly mark: number
}

/** Those of the console, the command line and the hosts reach the engine too, but say little about it. */
const isUnitTest = (file: string) => /^src\/(?!console\/|cli\/|hosts\/).*\.test\.ts$/.test(file)
const isPortable = (text: string) => /\bonEveryHost\b/.test(text)
/** Tests that start processes do not run the code that is mutated. */
const startsProcesses = (text: string) => /cli-process|child_process|browser\/chromium/.test(text)

export const groups: Readonly<Record<string, Group>> = {
  engine: {
    sources: ['contract', 'world', 'operations', 'service', 'control', 'scenario', 'generate', 'coverage', 'mock'],
    asks: (file, text) =>
      isUnitTest(file) || ((isPortable(text) || /^test\/(?:control\/|transcripts|doors)/.test(file)) && !startsProcesses(text)),
    // The other hosts carry the same values; what they add is asked of them below.
    tests: /^(?!.*\bon (?:fetch|node|msw|worker)\b)/,
    mark: 95,
  },
  hosts: {
    sources: ['hosts'],
    asks: (file, text) =>
      (isPortable(text) ||
        /^test\/(?:control\/|worker\/|transcripts|node-server|doors|msw|fake-time|kits|arriving-bodies|stalled-responses)/.test(file) ||
        /^test\/robustness\/hostile-requests|^src\/(?:hosts|mock\/fetch|kits)/.test(file)) &&
      !startsProcesses(text),
    tests: /^(?!.*\bon direct\b)/,
    startsWorkerd: true,
    mark: 90,
  },
  cli: {
    sources: ['cli', 'client'],
    asks: (file) => /^src\/(?:cli\/|client\/)|^test\/cli\//.test(file),
    startsCli: true,
    mark: 90,
  },
}
