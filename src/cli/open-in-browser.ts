// Opens an address in the default browser, in the way of each system. If that fails, it says so and goes on.
import { spawn } from 'node:child_process'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` is no program but a word of the shell, and takes a first quoted argument for a title.
  win32: ['cmd', '/c', 'start', '""'],
}

export function openInBrowser(url: string, notify: (text: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const fail = () => notify(`no browser could be opened with ${command}: the console is at ${url}`)
  spawn(command, [...args, url], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
    .on('error', fail)
    .on('exit', (code) => code !== 0 && fail())
    .unref()
}
