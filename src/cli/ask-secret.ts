// Asks for a secret on the terminal, without showing what is typed.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { say } from './say.ts'

/** What was typed; undefined if that was nothing, or the input ended. Ctrl-C ends the command as ever. */
export async function askSecret(question: string): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  say(question)
  const typed = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
    lines.once('SIGINT', () => {
      lines.close()
      say('\n')
      process.kill(process.pid, 'SIGINT')
    })
  })
  // It also gives the terminal its own ways back.
  lines.close()
  say('\n')
  return typed.trim() || undefined
}
