// An option that is undefined counts as absent, such as `url: process.env.X`. Types say so too, for
// projects with `exactOptionalPropertyTypes`.
import { expect, it } from 'vitest'
import type { CalibrateOptions } from '../../src/calibrate/calibrate.ts'
import type { ConnectOptions } from '../../src/control/client/connect.ts'
import type {
  ClockOptions,
  DiffOptions,
  PetFilter,
  RequestFilter,
  StateOptions,
  WhatIfChange,
} from '../../src/control/control.ts'
import type { HandlerOptions } from '../../src/hosts/msw.ts'
import type { MiddlewareOptions } from '../../src/hosts/node/middleware.ts'
import type { ServeOptions } from '../../src/hosts/node/serve.ts'
import { type AnimalStoreOptions, animalStore } from '../../src/hosts/node/vite.ts'
import type { ConsoleOptions } from '../../src/hosts/page.ts'
import type { StoreOptions } from '../../src/kits/kit-options.ts'
import type { ExpectedRequest } from '../../src/kits/match-request.ts'
import type { WithStoreOptions } from '../../src/kits/playwright.ts'
import type { LoaderOptions, StoreParameters } from '../../src/kits/storybook.ts'
import type { FetchOptions } from '../../src/mock/fetch.ts'
import { createMock, type MockOptions } from '../../src/mock/mock.ts'
import type { ScenarioDocument } from '../../src/scenario/document.ts'
import type { GenerateOptions } from '../../src/scenario/generate/generate-pets.ts'
import type { Fault } from '../../src/world/faults.ts'
import type { AddedPet, SomeChoices } from '../../src/world/scenario.ts'
import type { Surprise } from '../../src/world/surprise.ts'

type Loose<T> = T extends unknown
  ? { [Name in keyof T]: object extends Pick<T, Name> ? T[Name] | undefined : T[Name] }
  : never
type Takes<T> = Loose<T> extends T ? true : false

interface PublicOptions {
  readonly AddedPet: AddedPet
  readonly AnimalStoreOptions: AnimalStoreOptions
  readonly CalibrateOptions: CalibrateOptions
  readonly ClockOptions: ClockOptions
  readonly ConnectOptions: ConnectOptions
  readonly ConsoleOptions: ConsoleOptions
  readonly DiffOptions: DiffOptions
  readonly ExpectedRequest: ExpectedRequest
  readonly Fault: Omit<Fault, 'seen' | 'applied'>
  readonly FetchOptions: FetchOptions
  readonly GenerateOptions: GenerateOptions
  readonly HandlerOptions: HandlerOptions
  readonly LoaderOptions: LoaderOptions
  readonly MiddlewareOptions: MiddlewareOptions
  readonly MockOptions: MockOptions
  readonly PetFilter: PetFilter
  readonly RequestFilter: RequestFilter
  readonly ScenarioDocument: ScenarioDocument
  readonly ServeOptions: ServeOptions
  readonly SomeChoices: SomeChoices
  readonly StateOptions: StateOptions
  readonly StoreOptions: StoreOptions
  readonly StoreParameters: StoreParameters
  readonly Surprise: Surprise
  readonly WhatIfChange: WhatIfChange
  readonly WithStoreOptions: WithStoreOptions
}
/** A row that must be false is of a type that refuses undefined somewhere. */
const TAKES: { readonly [Name in keyof PublicOptions]: Takes<PublicOptions[Name]> } = {
  AddedPet: true,
  AnimalStoreOptions: true,
  CalibrateOptions: true,
  ClockOptions: true,
  ConnectOptions: true,
  ConsoleOptions: true,
  DiffOptions: true,
  ExpectedRequest: true,
  Fault: true,
  FetchOptions: true,
  GenerateOptions: true,
  HandlerOptions: true,
  LoaderOptions: true,
  MiddlewareOptions: true,
  MockOptions: true,
  PetFilter: true,
  RequestFilter: true,
  ScenarioDocument: true,
  ServeOptions: true,
  SomeChoices: true,
  StateOptions: true,
  StoreOptions: true,
  StoreParameters: true,
  Surprise: true,
  WhatIfChange: true,
  WithStoreOptions: true,
}

it('an option that is undefined counts as absent', () => {
  expect(Object.values(TAKES)).not.toContain(false)
  const nothing = { scenario: undefined, pets: undefined, apiKeys: undefined, assume: undefined }
  const { control } = createMock({ ...nothing, requestLog: { rows: undefined } })
  expect(control.state()).toEqual(createMock().control.state())
  control.assume({ 'default-status': 'sold' })
  control.assume({ 'default-status': undefined })
  expect(control.state().assume).toEqual({ 'default-status': 'sold' })
  control.pets.add({ name: 'Rex', categoryId: 1, status: undefined, id: undefined })
  expect(control.pets.list({ search: 'Rex', status: undefined }).matches).toBeGreaterThan(0)
  expect(() =>
    animalStore({ scenario: undefined, baseUrl: undefined, log: undefined }),
  ).not.toThrow()
})
