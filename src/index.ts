// The public names of `animal-store-mock`, and nothing else.

export { UsageError } from './contract/errors.ts'
export type {
  ApiErrorBody,
  AssumptionChoices,
  AssumptionId,
  Int64,
  NewPet,
  OperationId,
  Pet,
  PetStatus,
  Pets,
} from './contract/generated/contract.ts'
export type { components, paths } from './contract/generated/paths.ts'
export type { Problem } from './contract/problem.ts'
export type * from './control/control.ts'
export { assertReceived, type ExpectedRequest, type RequestSource } from './kits/matchers.ts'
export type { BaseUrl } from './mock/base-address.ts'
export { createFetch, type FetchOptions } from './mock/fetch.ts'
export { createMock, type Mock, type MockOptions } from './mock/mock.ts'
export type { ScenarioReference } from './scenario/open.ts'
export type { Call, Reply } from './service/call.ts'
export type { Coverage } from './service/coverage.ts'
export type { Delay, DelayMs, Duration, Fault, LiveFault } from './world/faults.ts'
export type { ChangeRow, LoggedMessage, RequestRow, TimelineRow } from './world/row.ts'
export type { LogFilter } from './world/row-filter.ts'
export type { AddedPet, Scenario } from './world/scenario.ts'
export type { Surprise, SurpriseKind } from './world/surprise.ts'
