// Passes the page's requests on to the mock, so that page and server share its state.
import { env } from '$env/dynamic/private'

const forward = ({ request, params, url, fetch }) => fetch(new Request(`${env.ANIMAL_STORE_URL}/${params.path}${url.search}`, request))

export { forward as GET, forward as POST }
