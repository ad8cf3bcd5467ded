// The types of every door, compiled by every TypeScript with each way of resolving modules.
import { readFileSync } from 'node:fs'
import type { Project } from '../project.ts'
import type { Group } from '../row.ts'

/** The versions, and whether most people have them. */
const VERSIONS: Readonly<Record<string, boolean>> = {
  '5.0.4': true,
  '5.2.2': false,
  '5.4.5': false,
  '5.6.3': false,
  '5.9.3': true,
  '6.0.3': true,
  '7.0.2': true,
}

interface Resolution {
  readonly file: string
  readonly options: Readonly<Record<string, unknown>>
  isIn?(major: number): boolean
}

const RESOLUTIONS: Readonly<Record<string, Resolution>> = {
  // TypeScript 6 takes it with a word of its own, 7 no longer.
  node10: { file: 'imports.ts', options: { module: 'commonjs', moduleResolution: 'node10' }, isIn: (major) => major < 7 },
  'node16, CommonJS': { file: 'doors.cts', options: { module: 'node16', moduleResolution: 'node16' } },
  'nodenext, CommonJS': { file: 'doors.cts', options: { module: 'nodenext', moduleResolution: 'nodenext' } },
  'nodenext, ES modules': { file: 'imports.ts', options: { module: 'nodenext', moduleResolution: 'nodenext' } },
  bundler: { file: 'imports.ts', options: { module: 'esnext', moduleResolution: 'bundler' } },
}

export const typescript: readonly Group[] = [true, false].map((isCommon) => {
  const versions = Object.keys(VERSIONS).filter((version) => VERSIONS[version] === isCommon)
  return {
    isHeavy: !isCommon,
    packages: ['msw@2.15.0', 'openapi-fetch@0.17.0', ...versions.map((version) => `${toAlias(version)}@npm:typescript@${version}`)],
    manifest: { type: 'module' },
    prepare(project) {
      const text = readFileSync(new URL('../../package/imports.ts', import.meta.url), 'utf8')
      project.write('imports.ts', text)
      // MSW has no worker for CommonJS in Node.
      project.write('doors.cts', text.replace(/^.*worker.*\n/gim, ''))
    },
    rows: versions.flatMap((version) =>
      Object.entries(RESOLUTIONS)
        .filter(([, { isIn }]) => isIn?.(majorOf(version)) ?? true)
        .map(([name, resolution]) => ({
          environment: `TypeScript, ${name}`,
          version,
          check: (project: Project) => compile(project, version, resolution),
        })),
    ),
  }
})

async function compile({ write, run, folder }: Project, version: string, { file, options }: Resolution): Promise<void> {
  const compilerOptions = {
    ...options,
    ...(majorOf(version) === 6 ? { ignoreDeprecations: '6.0' } : {}),
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }))
  const compiler = `${folder}/node_modules/${toAlias(version)}/bin/tsc`
  const output = await run(process.execPath, [compiler, '-p', '.']).catch((error: Error) => error.message)
  // Of what other packages declare, an old compiler may not know everything.
  const ours = output.split('\n').filter((line) => /^(doors\.|node_modules\/animal-store-mock\/|error )/.test(line))
  if (ours.length > 0) throw new Error(ours.join('\n'))
}

function toAlias(version: string): string {
  return `typescript-${version}`
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}
