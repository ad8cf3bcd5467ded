// A stranger's TypeScript: every door and every public type, under whatever module resolution the
// project has.
import {
  type ApiErrorBody,
  type AssumptionChoices,
  type AssumptionState,
  type Call,
  type Control,
  type components,
  createFetch,
  createMock,
  type Fault,
  type FetchOptions,
  type Int64,
  type LiveFault,
  type Mock,
  type MockEvent,
  type MockOptions,
  type NewPet,
  type OperationId,
  type Pet,
  type PetStatus,
  type Pets,
  type paths,
  type Reply,
  type RequestRow,
  type Scenario,
  type StateSummary,
  UsageError,
} from 'animal-store-mock'
import { type CalibrateOptions, type Calibration, calibrate } from 'animal-store-mock/calibrate'
import { connect, type RemoteControl } from 'animal-store-mock/control'
import {
  expandScenario,
  type GenerateOptions,
  generatePets,
  type ScenarioDocument,
} from 'animal-store-mock/generate'
import { createHandlers, type HandlerOptions, handlers } from 'animal-store-mock/msw'
import { type ServeOptions, type Serving, serve } from 'animal-store-mock/node'
import { type ScenarioName, scenarios } from 'animal-store-mock/scenarios'
import { setupWorker } from 'msw/browser'
import { setupServer } from 'msw/node'
import createClient from 'openapi-fetch'

const options: MockOptions = {
  apiKeys: ['a-key'],
  assume: { 'invalid-query': 'clamp' },
  faults: [{ operation: 'createPet', status: 503 }],
}
const mock: Mock = createMock(options)
const control: Control = mock.control
export const fault: LiveFault = control.faults.add({
  operation: '*',
  delay: [1, 2],
} satisfies Fault)
export const rows: readonly RequestRow[] = control.requests({ operation: 'listPets' })
export const ledger: readonly AssumptionState[] = control.assumptions()
export const stop: () => void = control.subscribe((event: MockEvent) => event.type)

const remote: RemoteControl = connect('http://127.0.0.1:7387', { token: 'a-token-of-16-ch' })
/** A running mock has every method of `control`. */
export const everyMethod: { readonly [Name in keyof Control]: unknown } = remote
export const summary: Promise<StateSummary> = remote.load('sold-out')
export const isRefusal = (thrown: unknown) => thrown instanceof UsageError && thrown.status === 400

const toAsk: CalibrateOptions = {
  baseUrl: 'https://staging.example.test/v1',
  apiKey: 'a key',
  probe: 'refused-writes',
}
export const asked: Promise<Calibration> = calibrate(toAsk)

const call: Call = { method: 'GET', target: '/v1/pets', headers: {} }
export const reply: Reply = mock.answer(call)
export const answer: Promise<Response> = mock.fetch(new Request('http://any.test/v1/pets'))
export const asPlatform: typeof fetch = mock.fetch
export const under: typeof fetch = createFetch(mock, {
  baseUrl: new URL('https://one.test/v1'),
} satisfies FetchOptions)

const status: PetStatus = 'sold'
/** As `response.json()` returns it. */
const wirePet: components['schemas']['Pet'] = { id: 1, name: 'Rex', categoryId: 1, status }
export const wireId: number = wirePet.id
const newPet: NewPet = { name: 'Rex', categoryId: 9223372036854775807n, status }
const pet: Pet = { id: 1, ...newPet }
export const id: Int64 = pet.id
const pets: Pets = [pet, ...generatePets({ seed: 7, count: 3 } satisfies GenerateOptions)]
export const error: ApiErrorBody = { code: 'NotFound', message: 'no', status: 404 }
export const operation: OperationId = 'getPet'
export const choices: Partial<AssumptionChoices> = { 'default-status': 'available' }
const document: ScenarioDocument = { extends: 'default', generate: { count: 1, seed: 1 } }
export const scenario: Scenario = expandScenario(document, scenarios.default)
const name: ScenarioName = 'sold-out'
control.load(scenarios[name])

const where: HandlerOptions = { baseUrl: ['https://one.test/v1', '/v1'] }
export const server = setupServer(
  ...createHandlers(mock, where),
  ...createHandlers({ pets }),
  ...handlers,
)
export const worker = setupWorker(...createHandlers())
export const serving: Promise<Serving> = serve(mock, { port: 0 } satisfies ServeOptions)

export async function useClient(): Promise<string | undefined> {
  const client = createClient<paths>({ baseUrl: 'https://api.example.test/v1', fetch: mock.fetch })
  const { data, error: failure } = await client.POST('/pets', {
    body: { name: 'Rex', categoryId: 1, status: 'available' },
  })
  const list = await client.GET('/pets', { params: { query: { limit: 3, status: 'sold' } } })
  const first: number | undefined = list.data?.[0]?.id
  await client.GET('/pets/{petId}', { params: { path: { petId: id } } })
  return data ? `${data.name} ${data.id} ${first}` : failure?.message
}

// @ts-expect-error: the interface has no such status
export const wrong: PetStatus = 'gone'
// Ids are optional.
createMock({ pets: [{ name: 'Rex', categoryId: 1 }] }).control.load({
  pets: [{ name: 'Rex', categoryId: 1 }],
})
// @ts-expect-error: no option of that name
createMock({ animals: [] })
// @ts-expect-error: a scenario has to be a value; the message says what to import
createMock({ scenario: 'sold-out' })
