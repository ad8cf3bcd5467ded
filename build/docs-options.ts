// The tables of options, from the interfaces of the functions that take them.
import { readMembers, simplifyType } from './docs-source.ts'
import { code, type Row } from './markdown.ts'
import type { Member } from './read-source.ts'

/** The interfaces whose fields a table of options lists: their files and names. */
export const OPTIONS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> =
  {
    createMock: [
      ['mock/mock-options.ts', 'MockOptions'],
      ['mock/mock-options.ts', 'OwnOptions'],
    ],
    createFetch: [['mock/fetch.ts', 'FetchOptions']],
    createHandlers: [['hosts/msw.ts', 'HandlerOptions']],
    serve: [['hosts/node/serve.ts', 'ServeOptions']],
    middleware: [['hosts/node/middleware.ts', 'MiddlewareOptions']],
    connect: [['control/client/connect.ts', 'ConnectOptions']],
    calibrate: [['calibrate/calibrate.ts', 'CalibrateOptions']],
    generatePets: [
      ['scenario/generate/settings.ts', 'GenerateSettings'],
      ['scenario/generate/generate-pets.ts', 'GenerateOptions'],
    ],
    mockStore: [
      ['kits/kit-options.ts', 'InterceptionOptions'],
      ['kits/kit-options.ts', 'StoreParameters'],
      ['kits/kit-options.ts', 'ReportOptions'],
      ['kits/kit-options.ts', 'StoreOptions'],
    ],
    withStore: [['kits/playwright.ts', 'WithStoreOptions']],
    storeLoader: [['kits/storybook.ts', 'LoaderOptions']],
    openConsole: [['hosts/page.ts', 'ConsoleOptions']],
    animalStore: [['hosts/node/vite.ts', 'AnimalStoreOptions']],
    toHaveReceived: [
      ['world/match-request.ts', 'RequestPattern'],
      ['control/rows/verdict.ts', 'ExpectedRequests'],
      ['kits/match-request.ts', 'ExpectedRequest'],
    ],
    'a scenario': [
      ['scenario/document.ts', 'ScenarioDocument'],
      ['world/scenario.ts', 'Scenario'],
      ['world/scenario.ts', 'Settings'],
    ],
    'a fault': [
      ['world/faults.ts', 'FaultConditions'],
      ['world/faults.ts', 'Effects'],
      ['world/faults.ts', 'FaultCounts'],
    ],
  }

/** Fields of a scenario that people do not write. */
export const WRITTEN_BY_COMMANDS: readonly string[] = ['generated', 'random', 'calibrated']

export function listOptions(of: string): readonly Row[] {
  // The first of two comments counts: an interface may narrow a field of the one that it extends.
  const members = new Map<string, Member>()
  for (const [file, name] of OPTIONS[of] ?? []) {
    for (const member of readMembers(file, name)) {
      const isListed = !WRITTEN_BY_COMMANDS.includes(member.name)
      if (isListed && !members.has(member.name)) members.set(member.name, member)
    }
  }
  const rows: Row[] = [[of.startsWith('a ') ? 'field' : 'option', 'type', 'default', 'meaning']]
  for (const member of members.values()) {
    const { name, type, comment } = member
    rows.push([code(name), code(simplifyType(type)), describeDefault(member), comment])
  }
  return rows
}

function describeDefault(member: Member): string {
  if (member.default === undefined) return member.isOptional ? '–' : 'required'
  const isCode = /^(?:\d+|true|false|'[^']*'|\{.*\}|\w+\.\w+)$/.test(member.default)
  return isCode ? code(member.default) : member.default
}
