// The kit for Storybook: a loader that gives each story the state in its parameters. Every story has its own API key, and so its own
// sandbox; an app that always sends the same key sees the state of the story that was loaded last.
import type { StateControl } from '../control/control.ts'
import { baseUrlRules } from '../mock/fetch.ts'
import { createMock, type Mock } from '../mock/mock.ts'
import { type MockOptions, toScenario } from '../mock/mock-options.ts'
import { type OptionRules, readOptions } from '../mock/options.ts'
import { type HandlerTaker, interceptRule, parameterRules, resolveScenario, type StoreOptions, takerRule } from './kit-options.ts'

export type { StoreParameters } from './kit-options.ts'

/** How stories reach their sandboxes: by default by `msw`. */
export interface StoreLoaderOptions extends Pick<StoreOptions, 'baseUrl' | 'intercept'> {
  /** Your own MSW worker, to add the handlers to; starting it stays with you. By default the loader starts one. */
  readonly worker?: HandlerTaker
}

/** What a story finds in `loaded.store`. */
export interface StoryStore {
  /** A key that no other story has: an app that sends it is undisturbed by other stories on the same page. */
  readonly apiKey: string
  /** The control of this story's sandbox. */
  readonly control: StateControl
}

/** The part of Storybook's context that the loader reads. */
interface StoryContext {
  readonly id: string
  readonly parameters: { readonly [name: string]: unknown }
}

const PARAMETERS = 'parameters.store'
const loaderRules: OptionRules<StoreLoaderOptions> = {
  ...baseUrlRules,
  intercept: interceptRule,
  worker: takerRule("a worker from MSW's setupWorker"),
}

/**
 * A loader for `.storybook/preview`: `export const loaders = [storeLoader({ baseUrl })]`.
 *
 * @example
 * export const SoldOut = { parameters: { store: { scenario: 'sold-out' } } }
 */
export function storeLoader(given: StoreLoaderOptions = {}): (context: StoryContext) => Promise<{ store: StoryStore }> {
  const options = readOptions<StoreLoaderOptions>('storeLoader', loaderRules, given)
  const mock = createMock({ sandbox: true })
  const { control } = mock
  const stories = new Set<string>()
  let started: Promise<void> | undefined

  return async ({ id, parameters }) => {
    const own = readOptions<MockOptions>(PARAMETERS, parameterRules as never, resolveScenario(PARAMETERS, parameters.store))
    const scenario = toScenario(own)
    started ??= start(mock, options)
    await started
    // For an app that sends another key: its sandbox starts again from this scenario.
    control.load(scenario)
    for (const key of control.sandboxes()) if (!stories.has(key)) control.removeSandbox(key)
    stories.add(id)
    control.sandbox(id).load(scenario)
    return { store: { apiKey: id, control: control.sandbox(id) } }
  }
}

async function start(mock: Mock, { baseUrl, intercept, worker }: StoreLoaderOptions): Promise<void> {
  if (intercept === 'fetch') return void (await import('../hosts/global-fetch.ts')).replaceFetch(mock, baseUrl)
  const handlers = (await import('../hosts/msw.ts')).createHandlers(mock, baseUrl === undefined ? {} : { baseUrl })
  if (worker) return worker.use(...(handlers as never[]))
  const { setupWorker } = await import('msw/browser')
  // Storybook loads its own files too.
  await setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as never)
}
