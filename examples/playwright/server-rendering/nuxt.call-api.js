/** Calls the API, and forwards the choice of a test to it. */
export function callApi(event, path, options = {}) {
  const headers = { authorization: 'Bearer app-key' }
  const sandbox = getCookie(event, 'mock-sandbox')
  if (sandbox) headers['X-Mock-Sandbox'] = sandbox
  return $fetch(process.env.API_URL + path, { ...options, headers })
}
