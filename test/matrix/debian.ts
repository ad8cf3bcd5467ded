// Programs that are no npm packages: there already, or installed as Debian's packages where that may be done.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { NotInstalled } from './project.ts'

const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300'

/** Makes sure that this program is there. */
export async function getProgram(path: string, packages: readonly string[]): Promise<void> {
  if (existsSync(path)) return
  const command = `${INSTALL} ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new NotInstalled(`${path} is not there; get it with ${command}`)
  await promisify(execFile)('sh', ['-c', command], { maxBuffer: 2 ** 26 }).catch((error: Error) => {
    throw new NotInstalled(error.message)
  })
  if (!existsSync(path)) throw new NotInstalled(`${path} is not in ${packages.join(', ')}`)
}
