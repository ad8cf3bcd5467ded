import { handlers } from 'animal-store-mock/msw'
import { setupWorker } from 'msw/browser'

await setupWorker(...handlers).start()

// From here on it is your app, and it knows nothing of the mock.
const response = await fetch('/v1/pets', { headers: { authorization: 'Bearer any-key' } })
const pets = (await response.json()) as { name: string }[]
document.querySelector('ul')?.append(...pets.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })))
