// The table of commands, in the order in which the help lists them.
import type { CliCommand } from '../flags.ts'

export const commands = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  exec: async () => (await import('./exec.ts')).execCommand,
  surprise: async () => (await import('./exec.ts')).surpriseCommand,
  seed: async () => (await import('./running.ts')).seedCommand,
  reset: async () => (await import('./running.ts')).resetCommand,
  snapshot: async () => (await import('./running.ts')).snapshotCommand,
  record: async () => (await import('./running.ts')).recordCommand,
  open: async () => (await import('./serve.ts')).openCommand,
  requests: async () => (await import('./requests.ts')).requestsCommand,
  timeline: async () => (await import('./requests.ts')).timelineCommand,
  undo: async () => (await import('./running.ts')).undoCommand,
  rewind: async () => (await import('./running.ts')).rewindCommand,
  'what-if': async () => (await import('./running.ts')).whatIfCommand,
  faults: async () => (await import('./settings.ts')).faultsCommand,
  latency: async () => (await import('./settings.ts')).latencyCommand,
  assume: async () => (await import('./settings.ts')).assumeCommand,
  sandboxes: async () => (await import('./settings.ts')).sandboxesCommand,
  clock: async () => (await import('./settings.ts')).clockCommand,
  status: async () => (await import('./running.ts')).statusCommand,
  scenarios: async () => (await import('./documents.ts')).scenariosCommand,
  generate: async () => (await import('./documents.ts')).generateCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  agents: async () => (await import('./documents.ts')).agentsCommand,
  calibrate: async () => (await import('./calibrate.ts')).calibrateCommand,
  coverage: async () => (await import('./coverage.ts')).coverageCommand,
} satisfies Record<string, () => Promise<CliCommand>>

export type CommandName = keyof typeof commands

export const DEFAULT_COMMAND = 'serve' satisfies CommandName
