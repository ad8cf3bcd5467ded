// The entry point `animal-store-mock/generate`.
export type { ScenarioDocument } from '../scenario/document.ts'
export { expandScenario } from '../scenario/expand.ts'
export { type GenerateOptions, generatePets } from './generate-pets.ts'
export type { GenerateSettings, StatusWeights } from './settings.ts'
