// The door `animal-store-mock/scenarios`: the shipped scenarios as plain values, for Node and browsers.
export { type ScenarioName, scenarios } from './generated/scenarios.ts'
