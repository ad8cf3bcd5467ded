import { Form } from 'react-router'

const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

export async function loader() {
  return (await fetch(`${process.env.ANIMAL_STORE_URL}/pets`, { headers })).json()
}

export async function action({ request }) {
  const form = await request.formData()
  const body = JSON.stringify({ name: form.get('name'), categoryId: 1 })
  await fetch(`${process.env.ANIMAL_STORE_URL}/pets`, { method: 'POST', headers, body })
  return null
}

export default function Pets({ loaderData }) {
  return (
    <>
      <ul>
        {loaderData.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <Form method="post">
        <input name="name" />
      </Form>
    </>
  )
}
