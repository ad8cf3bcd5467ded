// The file that tells a waiting program where the mock is: there as long as the mock is, and no longer.
import { readFileSync, rmSync } from 'node:fs'
import { removeOld, writeWhole } from './write-whole.ts'

export interface ReadyFile {
  write(url: string): Promise<void>
  /** Removes it again, unless another mock has written its own address meanwhile. */
  remove(): void
}

/** For whoever may read the mock's address, and that is everybody on this machine. */
const PUBLIC = 0o644

/** Takes an earlier run's address away. */
export async function createReadyFile(file: string): Promise<ReadyFile> {
  await removeOld(file)
  let written: string | undefined
  const remove = () => {
    process.off('exit', remove)
    if (written === undefined) return
    try {
      if (readFileSync(file, 'utf8') === written) rmSync(file)
    } catch {
      // It has gone already.
    }
    written = undefined
  }
  return {
    async write(url) {
      await writeWhole(file, `${url}\n`, PUBLIC)
      written = `${url}\n`
      // Also when a second signal ends the process at once.
      process.on('exit', remove)
    },
    remove,
  }
}
