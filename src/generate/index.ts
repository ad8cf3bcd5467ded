// The door `animal-store-mock/generate`.

export type { GenerateSettings, ScenarioDocument, StatusWeights } from '../scenario/document.ts'
export { expandScenario } from '../scenario/expand.ts'
export { type GenerateOptions, generatePets } from './generate-pets.ts'
