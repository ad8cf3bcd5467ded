// The scripts of `completion`, run by the shells that are there.
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

/** What bash offers after these words; the last is the one that is being typed. */
async function completeInBash(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await runHere(['completion', 'bash'])
  const file = join(createFolder(), 'completion.bash')
  writeFileSync(file, stdout)
  const typed = ['animal-store-mock', ...words].map((word) => `'${word}'`).join(' ')
  const script = `source ${file}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}
    _animal_store_mock; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
}

it.runIf(hasShell('bash'))(
  'bash completes commands, commands below them, and options',
  async () => {
    expect(await completeInBash('fau')).toEqual(['faults'])
    expect(await completeInBash('clock', 'un')).toEqual(['unfreeze'])
    expect(await completeInBash('clock', 'set', '--js')).toEqual(['--json'])
    expect(await completeInBash('--scen')).toEqual(['--scenario'])
    expect(await completeInBash('requests', '--op')).toEqual(['--operation'])
    expect(await completeInBash('requests', '--json', '--op')).toEqual(['--operation'])
  },
)

it.each(['bash', 'zsh', 'fish'].filter(hasShell))('%s can read its script', async (shell) => {
  const { code, stdout } = await runHere(['completion', shell])
  const checked = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' })
  expect([code, checked.status, checked.stderr]).toEqual([0, 0, ''])
})
