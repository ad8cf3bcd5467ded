import { env } from '$env/dynamic/private'

const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

export async function load({ fetch }) {
  const response = await fetch(`${env.ANIMAL_STORE_URL}/pets`, { headers })
  return { pets: await response.json() }
}

export const actions = {
  async default({ request, fetch }) {
    const form = await request.formData()
    const body = JSON.stringify({ name: form.get('name'), categoryId: 1 })
    await fetch(`${env.ANIMAL_STORE_URL}/pets`, { method: 'POST', headers, body })
  },
}
