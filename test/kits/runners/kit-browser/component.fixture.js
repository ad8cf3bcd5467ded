import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'

const store = mockStore({ baseUrl: 'https://api.example.com/v1' })

/** Your component. */
async function mountPets(element) {
  const response = await fetch('https://api.example.com/v1/pets', { headers: { authorization: 'Bearer any-key' } })
  element.innerHTML = response.ok ? '<ul></ul>' : '<p role="alert">Please come back later</p>'
}

it('says that the service is down', async () => {
  store.control.faults.add({ operation: 'listPets', status: 503 })
  mountPets(document.body)
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please come back later')
})
