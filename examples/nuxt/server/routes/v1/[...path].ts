// Passes the requests of pages and of useFetch on to the mock.
export default defineEventHandler((event) => {
  const path = event.path.slice('/v1'.length)
  return proxyRequest(event, `${process.env.ANIMAL_STORE_URL}${path}`)
})
