// The page of commands and flags, and the table of commands.
import { commands } from '../src/cli/commands.ts'
import { type CliCommand, mockFlags, remoteFlags } from '../src/cli/lib/flags.ts'
import type { Flag } from '../src/scenario/settings/flag.ts'
import { code, type Row, renderPage, renderTable } from './markdown.ts'

/** Flags that several commands have: told once. */
const SHARED: readonly (readonly [title: string, flags: readonly Flag[]])[] = [
  ['Flags for a running mock', Object.values(remoteFlags)],
  ['Flags for a new mock', Object.values(mockFlags)],
]

export function listCommands(): readonly Row[] {
  const rows: Row[] = [['command', 'does']]
  for (const [name, { summary }] of Object.entries(commands))
    rows.push([`[${code(name)}](appendix/commands.md#${name})`, summary])
  return rows
}

/** Every command with its arguments and flags. */
export function renderCommands(): string {
  const parts = [
    '# Appendix: every command and flag',
    'The build writes this page from what `--help` prints. ' +
      '[Command line](../command-line.md) has variables, output and exit codes.',
  ]
  for (const [title, flags] of SHARED) {
    const rows: Row[] = [['flag', 'default', 'meaning'], ...flags.map(describeFlag)]
    parts.push(`## ${title}`, renderTable(rows))
  }
  for (const [name, command] of Object.entries(commands))
    parts.push(...renderCommand(name, command, '##'))
  return renderPage(parts)
}

function renderCommand(name: string, command: CliCommand, level: string): string[] {
  const flags = Object.values(command.flags ?? {})
  const shared = SHARED.filter(([, all]) =>
    all.every((flag) => flags.some(({ syntax }) => syntax === flag.syntax)),
  )
  // A command may say something else about a flag that it shares, such as another default.
  const told = new Set<string>()
  for (const [, all] of shared) for (const flag of all) told.add(String(describeFlag(flag)))

  const rows: Row[] = []
  for (const [syntax, help] of command.arguments ?? []) rows.push([code(syntax), '–', help])
  for (const flag of flags) {
    const described = describeFlag(flag)
    if (!told.has(String(described))) rows.push(described)
  }

  const { summary } = command
  const links = shared.map(([title]) => renderLink(title.toLowerCase()))
  const parts = [
    `${level} ${name}`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.${links.join('')}`,
  ]
  if (rows.length > 0)
    parts.push(renderTable([['argument or flag', 'default', 'meaning'], ...rows]))
  for (const [below, sub] of Object.entries(command.commands ?? {}))
    parts.push(...renderCommand(`${name} ${below}`, sub, `${level}#`))
  return parts
}

function renderLink(title: string): string {
  return ` Takes the [${title}](#${title.replaceAll(' ', '-')}).`
}

/** `(default: …)` is how help writes a default that depends on more than the flag. */
function describeFlag({ syntax, help, default: preset }: Flag): Row {
  const [, before = help, told, after = ''] = /^(.*?) \(default: ([^)]*)\)(.*)$/.exec(help) ?? []
  return [code(syntax), preset ?? told ?? '–', before + after]
}
