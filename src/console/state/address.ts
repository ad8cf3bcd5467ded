// Where the page is, as the part of its address after the `#`: a view, one thing in it, and what the view is filtered by, as in
// `#/traffic/12?operation=createPet&sandbox=ann-key`. Whatever can be looked at has an address to send to somebody.

export interface Address {
  readonly view: string
  /** An animal, an exchange, a fault, a question, an operation; empty if none is meant. */
  readonly part: string
  readonly query: Readonly<Record<string, string>>
}

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = split(hash.replace(/^#\/?/, ''), '?')
  const [view = '', part = ''] = split(path, '/')
  return { view: decode(view), part: decode(part), query: Object.fromEntries(new URLSearchParams(query)) }
}

/** Without what is empty. */
export function toHash({ view, part, query }: Address): string {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))
  const search = parameters.size === 0 ? '' : `?${parameters}`
  return `#/${encodeURIComponent(view)}${part === '' ? '' : `/${encodeURIComponent(part)}`}${search}`
}

function split(text: string, mark: string): [string, string] {
  const index = text.indexOf(mark)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
