import { Suspense } from 'react'
import { AddButton } from './add-button.jsx'

/** Suspense keeps the animals out of what Next.js renders while it builds (`cacheComponents`). */
export default function Page() {
  return (
    <>
      <Suspense fallback={<p>Loading</p>}>
        <Animals />
      </Suspense>
      <AddButton />
    </>
  )
}

/** A server component: its requests come from Node, where no service worker of a page sees them. */
async function Animals() {
  const headers = { authorization: 'Bearer any-key' }
  // Without no-store, Next.js would ask once, while it builds.
  const response = await fetch(`${process.env.ANIMAL_STORE_URL}/pets`, { headers, cache: 'no-store' })
  if (!response.ok) return <p role="alert">Please come back later</p>
  const pets = await response.json()
  return (
    <ul>
      {pets.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  )
}
