// A peer: another mock, the versions it is installed in, and its best configuration for this interface.
import type { ServerCommand } from '../server-process.ts'

export interface Peer {
  readonly name: string
  /** Exact versions, installed into a folder of the peer's own. */
  readonly packages: Readonly<Record<string, string>>
  /** Files that it needs beside them. */
  files(animals: readonly Animal[]): Readonly<Record<string, string>>
  /** What follows `node`, in that folder. */
  args(port: number): readonly string[]
  /** How it is configured, for the report. */
  readonly configured: string
}

/** The animals that every mock starts with. */
export interface Animal {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status?: string
}

export function toCommand(peer: Peer, folder: string): ServerCommand {
  return { name: peer.name, args: peer.args, cwd: folder }
}
