// The size of the machine and the versions, for the head of a report; never its name or its paths.
import { arch, cpus, platform, totalmem } from 'node:os'

export function describeMachine(): string {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0)
  return `${cpus().length} cores, ${gigabytes} GiB of memory, ${platform()}-${arch()}, Node ${process.versions.node}`
}
