// .storybook/preview.ts
import { createMock } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { scenarios } from 'animal-store-mock/scenarios'
import { setupWorker } from 'msw/browser'

const mock = createMock()
const worker = setupWorker(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))

export default {
  async beforeAll() {
    await worker.start()
  },
  // In a story: parameters: { scenario: 'sold-out' }
  beforeEach({ parameters }: { parameters: { scenario?: keyof typeof scenarios } }) {
    mock.control.load(scenarios[parameters.scenario ?? 'default'])
  },
}
