// The command line inside this process, for tests of what a command prints and writes.
// cli-process.ts has real processes.
import { vi } from 'vitest'
import { run } from '../../src/cli/main.ts'
import type { Outcome, Settings } from './cli-process.ts'

export interface Printed {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Runs a command to its end, in this folder and with these variables. */
export async function runHere(
  args: readonly string[],
  { cwd, env = {} }: Pick<Settings, 'cwd' | 'env'> = {},
): Promise<Outcome> {
  const home = process.cwd()
  if (cwd !== undefined) process.chdir(cwd)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  try {
    const { printed, code } = await capture(args)
    const textOf = (stream: string) =>
      printed.flatMap((one) => (one.stream === stream ? one.text : [])).join('')
    return { code, stdout: textOf('stdout'), stderr: textOf('stderr') }
  } finally {
    vi.unstubAllEnvs()
    process.chdir(home)
  }
}

/**
 * What a command prints, in its order, and its exit code. Listeners that it leaves behind are
 * removed.
 */
export async function capture(
  args: readonly string[],
  afterwards: (printed: readonly Printed[]) => Promise<void> = async () => {},
): Promise<{ readonly printed: readonly Printed[]; readonly code: number }> {
  const printed: Printed[] = []
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const listening = signals.map((signal) => process.listeners(signal))
  const onError = process.stdout.listeners('error')
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text: unknown, done?: unknown) => {
      printed.push({ stream, text: String(text) })
      if (typeof done === 'function') done()
      return true
    }),
  )
  try {
    await run(['node', 'animal-store-mock', ...args])
    await afterwards(printed)
    return { printed, code: Number(process.exitCode ?? 0) }
  } finally {
    process.exitCode = undefined
    for (const spy of spies) spy.mockRestore()
    for (const listener of process.stdout.listeners('error'))
      if (!onError.includes(listener))
        process.stdout.off('error', listener as (error: Error) => void)
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!listening[index]?.includes(listener)) process.off(signal, listener)
  }
}
