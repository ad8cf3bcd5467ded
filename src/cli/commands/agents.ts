// `agents`: what a coding agent should know about the mock, to put into a project's AGENTS.md.
import { readFile } from 'node:fs/promises'
import { defineCommand } from '../command.ts'
import { packageFile, print } from '../output.ts'

export const agentsCommand = defineCommand({
  summary: 'print what a coding agent should know, for the AGENTS.md of your project',
  flags: {},
  examples: ['agents', 'agents >> AGENTS.md'],
  run: async () => print(await readFile(packageFile('docs/agents-snippet.md'), 'utf8')),
})
