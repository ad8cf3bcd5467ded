const store = process.env.ANIMAL_STORE_URL

export default {
  cacheComponents: true,
  // Pages call /v1 on the same site, so that they and the server components share the state of one mock.
  // `next build` reads this once: the address has to be in the environment then.
  rewrites: () => (store ? [{ source: '/v1/:path*', destination: `${store}/:path*` }] : []),
}
