// A client that keeps the `fetch` that it finds.
const found = globalThis.fetch

globalThis.fetchEarly = (url) => found(url)
