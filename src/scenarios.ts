// The entry point `animal-store-mock/scenarios`: the shipped scenarios as plain values, for Node and browsers.
export { type ScenarioName, type ShippedScenario, scenarios } from './generated/scenarios.ts'
