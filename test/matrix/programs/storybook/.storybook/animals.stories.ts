import { scenarios } from 'animal-store-mock/scenarios'

interface Context {
  readonly loaded: { readonly store: { readonly apiKey: string } }
}

function render(_: unknown, { loaded: { store } }: Context): HTMLElement {
  const line = document.createElement('p')
  line.className = 'animals'
  const headers = { authorization: `Bearer ${store.apiKey}` }
  void fetch('https://api.example.com/v1/pets?limit=100', { headers }).then(async (response) => {
    const body = await response.json()
    line.textContent = response.ok
      ? [...new Set(body.map((pet: { status?: string }) => pet.status ?? 'none'))].sort().join(' ')
      : body.message
  })
  return line
}

export default { title: 'Animals', tags: ['autodocs'], render }
export const Default = {}
export const SoldOut = { parameters: { store: { scenario: scenarios['sold-out'] } } }
export const Down = { parameters: { store: { faults: [{ operation: '*', status: 503 }] } } }
