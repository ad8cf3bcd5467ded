'use client'

import { useRouter } from 'next/navigation'

/** A client component: its request goes to the site itself, which rewrites it. */
export function AddButton() {
  const router = useRouter()
  async function add() {
    const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
    await fetch('/v1/pets', { method: 'POST', headers, body: JSON.stringify({ name: 'Rex', categoryId: 1 }) })
    router.refresh()
  }
  return (
    <button type="button" onClick={add}>
      Add Rex
    </button>
  )
}
