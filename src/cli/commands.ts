// Every command by its name, in the order of help.
import { calibrateCommand } from './commands/calibrate.ts'
import { createCompletion } from './commands/completion.ts'
import { coverageCommand } from './commands/coverage.ts'
import { agentsCommand, generateCommand, scenariosCommand } from './commands/documents.ts'
import { execCommand } from './commands/exec.ts'
import { heldCommand, releaseCommand } from './commands/held.ts'
import { mcpCommand } from './commands/mcp.ts'
import { requestsCommand, timelineCommand } from './commands/requests.ts'
import {
  recordCommand,
  resetCommand,
  rewindCommand,
  seedCommand,
  snapshotCommand,
  undoCommand,
} from './commands/running.ts'
import { openCommand, serveCommand } from './commands/serve.ts'
import {
  assumeCommand,
  clockCommand,
  faultsCommand,
  keysCommand,
  latencyCommand,
  sandboxesCommand,
} from './commands/settings.ts'
import { statusCommand } from './commands/status.ts'
import { surpriseCommand } from './commands/surprise.ts'
import { verifyCommand } from './commands/verify.ts'
import { whatIfCommand } from './commands/what-if.ts'
import type { CliCommand } from './lib/command.ts'

export const commands: Readonly<Record<string, CliCommand>> = {
  serve: serveCommand,
  exec: execCommand,
  surprise: surpriseCommand,
  seed: seedCommand,
  reset: resetCommand,
  snapshot: snapshotCommand,
  record: recordCommand,
  open: openCommand,
  requests: requestsCommand,
  timeline: timelineCommand,
  undo: undoCommand,
  rewind: rewindCommand,
  held: heldCommand,
  release: releaseCommand,
  verify: verifyCommand,
  'what-if': whatIfCommand,
  faults: faultsCommand,
  keys: keysCommand,
  latency: latencyCommand,
  assume: assumeCommand,
  sandboxes: sandboxesCommand,
  clock: clockCommand,
  status: statusCommand,
  scenarios: scenariosCommand,
  generate: generateCommand,
  mcp: mcpCommand,
  agents: agentsCommand,
  calibrate: calibrateCommand,
  coverage: coverageCommand,
  completion: createCompletion(() => commands),
}
