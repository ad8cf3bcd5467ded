// The page that the specs look at is made of the sources as they are now.
import { fileURLToPath } from 'node:url'
import { bundleConsole } from '../../build/bundle-console.ts'

export default async function setup(): Promise<void> {
  await bundleConsole(fileURLToPath(new URL('../../', import.meta.url)))
}
