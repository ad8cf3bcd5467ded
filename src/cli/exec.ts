// The command `exec`: a mock for the time that another command runs, which finds it by ANIMAL_STORE_URL.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { UsageError } from '../contract/errors.ts'
import type { ServeFlags } from './serve-flags.ts'
import { startMock } from './start-mock.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs the command beside a mock and makes its exit code ours. Its output is its own, so the log goes to stderr. */
export async function runExec(command: readonly string[], flags: ServeFlags): Promise<void> {
  const { serving, stop } = await startMock({ ...flags, port: 0 }, () => process.stderr)
  const { url, controlToken } = serving
  try {
    process.exitCode = await runChild(command, {
      ...process.env,
      ANIMAL_STORE_URL: url,
      ...(controlToken === undefined ? {} : { ANIMAL_STORE_CONTROL_TOKEN: controlToken }),
    })
  } finally {
    await stop()
  }
}

function runChild([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(...toSpawn(file, args), { stdio: 'inherit', env, shell: process.platform === 'win32' })
    const forward = (signal: NodeJS.Signals) => {
      // On a terminal Ctrl+C has reached the command already, and it might take a second one for impatience.
      if (signal !== 'SIGINT' || !isOnTerminal()) child.kill(signal)
    }
    const end = () => {
      for (const signal of SIGNALS) process.off(signal, forward)
    }
    for (const signal of SIGNALS) process.on(signal, forward)
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      end()
      reject(new UsageError(`${file}: ${code === 'ENOENT' ? 'there is no such command' : `cannot be run (${code})`}`))
    })
    child.once('exit', (code, signal) => {
      end()
      resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
    })
  })
}

/** Windows runs npm and its like only through a shell, which gets one text and splits it at spaces. */
function toSpawn(file: string, args: readonly string[]): [string, string[]] {
  if (process.platform !== 'win32') return [file, [...args]]
  return [[file, ...args].map((part) => (/[\s"]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(' '), []]
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
}
