// Passes the page's requests on to the mock, so that page and server share its state.
const forward = ({ request, params }) => {
  const { search } = new URL(request.url)
  return fetch(new Request(`${process.env.ANIMAL_STORE_URL}/${params['*']}${search}`, request))
}

export { forward as action, forward as loader }
