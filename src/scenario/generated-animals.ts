// The entry point `animal-store-mock/generate`.
export type { ScenarioDocument } from './document.ts'
export { expandScenario } from './expand.ts'
export { type GenerateOptions, generatePets } from './generate/generate-pets.ts'
export type { GenerateSettings, StatusWeights } from './generate/settings.ts'
