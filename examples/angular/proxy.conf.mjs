// Pages call /v1 on the same site.
export default { '/v1': { target: new URL(process.env.ANIMAL_STORE_URL).origin } }
