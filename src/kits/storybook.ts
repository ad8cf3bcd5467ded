// The kit for Storybook: a loader that gives each story the state in its parameters. Every story
// has its own API key, and so its sandbox; an app that always sends the same key sees the state of
// the story that was loaded last.
import { BOOLEAN, type OptionSchemas, readOptions, TEXT } from '../contract/options.ts'
import { installPassThrough, replaceFetch } from '../hosts/global-fetch.ts'
import { createEngine, type Mock } from '../mock/mock.ts'
import { openOptions, openStart, startSchemas } from '../mock/mock-options.ts'
import { openScenario } from '../scenario/open.ts'
import { createOrigin } from '../world/state.ts'
import {
  acceptKey,
  type InterceptionOptions,
  interceptionSchemas,
  type StoreParameters,
} from './kit-options.ts'
import type { SandboxStore } from './store.ts'

export type { StoreParameters } from './kit-options.ts'

/**
 * What a story finds in `loaded.store`. No other story has its key, so others on the same page do
 * not disturb it.
 */
export type StoryStore = Pick<SandboxStore, 'apiKey' | 'control'>

/** How a loader intercepts requests, and whether it shows them. */
export interface LoaderOptions extends InterceptionOptions {
  /** Adds the console to the page of the stories. @default false */
  readonly console?: boolean | undefined
  /**
   * Where MSW's worker file is, such as `/docs/mockServiceWorker.js` for one under `/docs/`.
   * @default `mockServiceWorker.js` beside the page of the stories
   */
  readonly worker?: string | undefined
}

type StoryContext = {
  readonly id: string
  readonly parameters: { readonly [name: string]: unknown }
}
const PARAMETERS = 'parameters.store'
/** The page of the stories is `iframe.html`, in the folder of Storybook's own files. */
const WORKER_FILE = 'mockServiceWorker.js'
const schemas: OptionSchemas<LoaderOptions> = {
  ...interceptionSchemas,
  console: BOOLEAN,
  worker: TEXT,
}

installPassThrough()

/**
 * A loader for `.storybook/preview`: `export const loaders = [storeLoader({ baseUrl })]`.
 *
 * @example
 * export const SoldOut = { parameters: { store: { scenario: 'sold-out' } } }
 */
export function storeLoader(
  options: LoaderOptions = {},
): (context: StoryContext) => Promise<{ store: StoryStore }> {
  const given = readOptions('storeLoader', schemas, options)
  const { mock, worlds, restart } = createEngine(openOptions('storeLoader', { sandbox: true }))
  const { control } = mock
  const stories = new Set<string>()
  let started: Promise<void> | undefined
  return async ({ id, parameters }) => {
    const start = readOptions<StoreParameters>(PARAMETERS, startSchemas, parameters.store)
    const scenario = await openStart(start, PARAMETERS, openScenario)
    started ??= startIntercepting(mock, given)
    await started
    // For an app that sends another key: its sandbox starts again from this scenario.
    restart(createOrigin(scenario))
    for (const key of control.sandboxes()) {
      if (!stories.has(key)) worlds.remove(key)
    }
    stories.add(id)
    restart(createOrigin(acceptKey(scenario, id)), id)
    return { store: { apiKey: id, control: control.sandbox(id) } }
  }
}

async function startIntercepting(mock: Mock, options: LoaderOptions): Promise<void> {
  const { baseUrl } = options
  if (options.console) {
    const { openConsole } = await import('../hosts/page.ts')
    openConsole(mock, { baseUrl })
  }
  if (options.intercept === 'fetch') {
    replaceFetch(mock, baseUrl)
    return
  }
  const { createHandlers } = await import('../hosts/msw.ts')
  const { setupWorker } = await import('msw/browser')
  // Storybook loads its own files too.
  const lenient = { quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
  const url = new URL(options.worker ?? WORKER_FILE, document.baseURI).pathname
  await setupWorker(...createHandlers(mock, { baseUrl })).start({
    ...lenient,
    serviceWorker: { url },
  })
}
