// The file that a waiting program finds the mock's address in. It exists as long as the mock runs.
import { readFileSync, rmSync } from 'node:fs'
import { removeOld, replaceFile } from './replace-file.ts'

export interface ReadyFile {
  write(url: string): Promise<void>
  /** Removes it again, unless another mock has written its own address meanwhile. */
  remove(): void
}

/** World-readable: the address is not secret. */
const PUBLIC = 0o644

/** Removes the address of an earlier run. */
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
      await replaceFile(file, `${url}\n`, PUBLIC)
      written = `${url}\n`
      // Also when a second signal ends the process at once.
      process.on('exit', remove)
    },
    remove,
  }
}
