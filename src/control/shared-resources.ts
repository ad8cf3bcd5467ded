// What the control API needs of its host, as far as that is the same on every host. It is loaded when it is first asked for: the mock's
// start pays nothing for it.
import type { ControlApiSettings } from './control-api.ts'

const CONSOLE_PATHS = ['/', '/console.js', '/console.css']

export const sharedResources = {
  scenarios: async () => (await import('../scenarios.ts')).scenarios,
  openapi: async () => (await import('../generated/openapi.ts')).openapi,
  assets: (path) => (CONSOLE_PATHS.includes(path) ? readAsset(path) : undefined),
  onBug: (error) => console.error(error),
} as const satisfies Partial<ControlApiSettings>

async function readAsset(path: string) {
  const { files } = await import('../generated/console.ts')
  return files[path as keyof typeof files]
}
