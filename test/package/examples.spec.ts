// The examples, each run as its reader would run it; those that need a browser are in browser/examples.spec.ts, and those with tools
// that we do not develop with in the matrix.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createExampleProject, readManifest } from '../support/example-project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const names = readdirSync(join(root, 'examples'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

describe('the examples', () => {
  it('are all listed', () => {
    const listed = [...readFileSync(join(root, 'examples/README.md'), 'utf8').matchAll(/^\| \[([\w-]+)\]\(\1\)/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual(names.sort())
  })

  it('in the package are those that its docs name', () => {
    const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'))
    const texts = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
    const named = new Set([...texts.matchAll(/examples\/[\w-]+/g)].map(([path]) => path))
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] }
    expect(files.filter((file) => file.startsWith('examples/'))).toEqual([...named].sort())
  })

  it.each(names)('%s pins the versions that we develop with', (name) => {
    const { 'animal-store-mock': ours, ...others } = readManifest(join(root, 'examples', name)).devDependencies
    expect(ours).toBe('file:../..')
    const { devDependencies } = readManifest(root)
    expect(devDependencies).toMatchObject(
      Object.fromEntries(Object.entries(others).filter(([dependency]) => dependency in devDependencies)),
    )
  })

  it.each(names.filter((name) => existsSync(join(root, 'examples', name, 'tsconfig.json'))))('%s has correct types', async (name) => {
    const example = createExampleProject(name)
    expect(await example.run(`"${process.execPath}" "${tsc}" -p .`)).toBe('')
  })
})

describe('npm test', () => {
  it.each([
    ['vitest', /Tests\s+9 passed/],
    ['typed-client', /Tests\s+4 passed/],
    ['node-test', /# pass 3\n/],
    ['vite', /# pass 3\n/],
  ])('passes in %s', async (name, summary) => {
    expect(await createExampleProject(name).run('npm test', { NO_COLOR: '1' })).toMatch(summary)
  })
})
