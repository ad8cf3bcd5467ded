if (import.meta.env.DEV) {
  const { handlers } = await import('animal-store-mock/msw')
  const { setupWorker } = await import('msw/browser')
  await setupWorker(...handlers).start()
}

// From here on it is your app, and it does not know about the mock.
const response = await fetch('/v1/pets', { headers: { authorization: 'Bearer any-key' } })
const pets = (await response.json()) as { name: string }[]
document.querySelector('ul')?.append(...pets.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })))
