// File names with a `*` in their last part, which the shells of Windows hand on as they are.
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../contract/errors.ts'

/** The files that match, by name; the file itself if it has no `*`. */
export async function expandPattern(pattern: string): Promise<string[]> {
  const last = basename(pattern)
  if (!last.includes('*')) return [pattern]
  const parts = last.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'))
  const fits = new RegExp(`^(?!\\.)${parts.join('.*')}$`)
  const folder = dirname(pattern)
  const names = await readdir(folder).catch(() => [])
  const found = names.filter((name) => fits.test(name)).sort()
  if (found.length === 0) throw new UsageError(`${pattern}: no such file`)
  return found.map((name) => join(folder, name))
}
