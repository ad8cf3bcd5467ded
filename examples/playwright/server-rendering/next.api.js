import { cookies } from 'next/headers'

const headers = { authorization: 'Bearer app-key', 'content-type': 'application/json' }

/** Calls the API, and forwards the choice of a test to it. */
export async function callApi(path, init) {
  const sandbox = (await cookies()).get('mock-sandbox')?.value
  const choice = sandbox ? { 'X-Mock-Sandbox': sandbox } : {}
  return fetch(process.env.API_URL + path, { ...init, headers: { ...headers, ...choice } })
}
