// The door `animal-store-mock/generate`.
export { expandScenario } from './expand-scenario.ts'
export { type GenerateOptions, generatePets } from './generate-pets.ts'
export type { GenerateSettings, ScenarioDocument, StatusWeights } from './scenario-document.ts'
