// The addresses of the site and the repository, as package.json has them.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Where the source is, such as `https://github.com/owner/animal-store-mock`. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** `/`, or `/animal-store-mock/` for a site that GitHub serves under the name of the repository. */
export const basePath: string = new URL(manifest.homepage).pathname
