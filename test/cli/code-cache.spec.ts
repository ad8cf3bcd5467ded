// What the command line keeps for its next start on a Node that has no compile cache of its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ask, BIN, createFolder, runCli, startCli } from '../support/cli-process.ts'

const MAIN = join(dirname(BIN), '../dist/cli/main.cjs')
const major = Number(process.versions.node.split('.')[0])

const folderIn = (caches: string) => join(caches, 'animal-store-mock', `node-${process.version}-${process.arch}`)

/** A cache whose code prints a line of its own: V8 takes it for the code of any source of the same length. */
function plant(caches: string, source: Buffer): void {
  // In brackets, so that the function is compiled with the rest: later it would be compiled from the other source.
  const code = "exports.run=(function(){console.log('from the cache')})".padEnd(readFileSync(MAIN, 'utf8').length)
  const compile = `process.stdout.write(new (require('vm').Script)(require('module').wrap(${JSON.stringify(code)})).createCachedData())`
  const compiled = execFileSync(process.execPath, ['-e', compile])
  mkdirSync(folderIn(caches), { recursive: true })
  const rest = Buffer.concat([source, compiled])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(rest))
  writeFileSync(join(folderIn(caches), 'main.cjs'), Buffer.concat([checksum, rest]))
}

describe.skipIf(major >= 22)('the code cache', () => {
  it("keeps what was compiled in the user's own cache, and the next start responds the same", async () => {
    const caches = createFolder()
    const first = await startCli([], { env: { XDG_CACHE_HOME: caches } })
    const list = () => {
      try {
        return readdirSync(folderIn(caches)).sort()
      } catch {
        return []
      }
    }
    await expect.poll(list, { timeout: 20_000 }).toEqual(['engine.cjs', 'main.cjs', 'rolldown-runtime.cjs', 'server.cjs', 'start.cjs'])
    expect(statSync(folderIn(caches)).mode & 0o777).toBe(0o700)
    for (const name of list()) expect(statSync(join(folderIn(caches), name)).mode & 0o777).toBe(0o600)
    const second = await startCli([], { env: { XDG_CACHE_HOME: caches } })
    expect((await ask(`${second.url}/pets`)).json).toEqual((await ask(`${first.url}/pets`)).json)
    const banner = (text: string) => text.replaceAll(/:\d+\//g, ':0/')
    expect(banner(second.stderr())).toBe(banner(first.stderr()))
  })

  it('runs what was compiled of the very same source', async () => {
    const caches = createFolder()
    plant(caches, readFileSync(MAIN))
    expect(await runCli(['--version'], { env: { XDG_CACHE_HOME: caches } })).toEqual({ code: 0, stdout: 'from the cache\n', stderr: '' })
  })

  it.each<[string, (caches: string) => void, Record<string, string>?]>([
    ['another source of the same length', (caches) => plant(caches, Buffer.from(readFileSync(MAIN, 'utf8').replace('run', 'RUN')))],
    [
      'a file with a wrong byte in it',
      (caches) => {
        plant(caches, readFileSync(MAIN))
        const file = join(folderIn(caches), 'main.cjs')
        const kept = readFileSync(file)
        kept[kept.length - 100] = (kept[kept.length - 100] as number) ^ 16
        writeFileSync(file, kept)
      },
    ],
    [
      'an empty file',
      (caches) => {
        plant(caches, readFileSync(MAIN))
        writeFileSync(join(folderIn(caches), 'main.cjs'), '')
      },
    ],
    ['code, but the cache is turned off', (caches) => plant(caches, readFileSync(MAIN)), { NODE_DISABLE_COMPILE_CACHE: '1' }],
    ['a file where its folder should be', (caches) => writeFileSync(join(caches, 'animal-store-mock'), '')],
  ])('compiles as ever where there is %s', async (_, prepare, env = {}) => {
    const caches = createFolder()
    prepare(caches)
    const { version } = JSON.parse(readFileSync(join(dirname(BIN), '../package.json'), 'utf8'))
    expect(await runCli(['--version'], { env: { XDG_CACHE_HOME: caches, ...env } })).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })

  it('says nothing where it cannot be written', async () => {
    // Longer than the time after which it is written.
    const waiting = ['exec', '--', process.execPath, '-e', 'setTimeout(() => {}, 1500)']
    expect(await runCli(waiting, { env: { XDG_CACHE_HOME: '/dev/null' } })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('cache'),
    })
  })
})
