// Starts the load generator's process and hands it one job after the other.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadJob, LoadResult } from './load-client.ts'
import { cleanEnvironment } from './server-process.ts'

export interface Load {
  run(job: LoadJob): Promise<LoadResult>
  stop(): void
}

export const CONNECTIONS = 32

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('./load-client.ts', import.meta.url)), { env: cleanEnvironment() })
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error('the load generator ended'))
        child.once('exit', onExit)
        child.once('message', (result: LoadResult) => {
          child.off('exit', onExit)
          resolve(result)
        })
        child.send(job)
      }),
    stop: () => child.disconnect(),
  }
}
