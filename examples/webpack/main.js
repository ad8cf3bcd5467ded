const response = await fetch('/v1/pets', { headers: { authorization: 'Bearer any-key' } })
document.body.textContent = (await response.json()).map(({ name }) => name).join(', ')
