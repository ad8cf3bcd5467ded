// Does to the example's preview what Storybook does: its hooks run before all stories and before each of them.
import type { ScenarioName } from 'animal-store-mock/scenarios'
import preview from '../../examples/storybook-preview.ts'

await preview.beforeAll()
Object.assign(globalThis, { showStory: (scenario?: ScenarioName) => preview.beforeEach({ parameters: scenario ? { scenario } : {} }) })
