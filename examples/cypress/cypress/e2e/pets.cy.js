it('says that the service is down', () => {
  cy.store('POST', '/faults', { operation: 'listPets', status: 503 })
  cy.visit('/')
  cy.get('[role=alert]').should('have.text', 'Please come back later')
})

it('asks for the animals once', () => {
  cy.visit('/')
  cy.get('li').should('have.length', 18)
  cy.store('GET', '/requests?operation=listPets').should('have.length', 1)
})
