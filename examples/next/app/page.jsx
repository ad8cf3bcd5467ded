import { AddButton } from './add-button.jsx'

/** A server component: its requests come from Node, where no service worker of a page sees them. */
export default async function Page() {
  const headers = { authorization: 'Bearer any-key' }
  // Without no-store, Next.js would ask once, while it builds.
  const response = await fetch(`${process.env.ANIMAL_STORE_URL}/pets`, { headers, cache: 'no-store' })
  if (!response.ok) return <p role="alert">Please come back later</p>
  const pets = await response.json()
  return (
    <>
      <ul>
        {pets.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <AddButton />
    </>
  )
}
