// A write without a body needs it.
const HEADERS = { 'X-Mock-Control': '1' }

/** Calls a control route of the running mock: `cy.store('PUT', '/state', { name: 'sold-out' })`. */
Cypress.Commands.add('store', (method, path, body) =>
  cy.request({ method, url: `${new URL(Cypress.env('ANIMAL_STORE_URL')).origin}/__mock${path}`, headers: HEADERS, body }).its('body'),
)

beforeEach(() => cy.store('POST', '/reset'))
