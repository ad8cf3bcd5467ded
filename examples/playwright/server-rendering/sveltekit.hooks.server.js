import { env } from '$env/dynamic/private'

/** Forwards the choice of the test, to the API only: another origin would refuse the header. */
export function handleFetch({ event, request, fetch }) {
  const sandbox = event.cookies.get('mock-sandbox')
  if (sandbox && request.url.startsWith(env.API_URL)) request.headers.set('X-Mock-Sandbox', sandbox)
  return fetch(request)
}
