// The address as state of the page: going somewhere is a step that Back undoes, adjusting a filter is not.
import { useEffect, useState } from 'preact/hooks'
import { type Address, parseAddress, toHash } from './address.ts'

export interface Navigation {
  readonly address: Address
  /** Goes there. */
  go(change: Partial<Address>): void
  /** Changes the address in place; a function is given the address as it is now, which may be newer than the one shown. */
  adjust(change: Partial<Address> | ((now: Address) => Partial<Address>)): void
}

/** `toView` gives the view that is shown for the name in an address; `onMove` hears of every step: a link, Back, an address typed. */
export function useAddress(toView: (name: string) => string, onMove: (address: Address) => void): Navigation {
  const parse = (hash: string): Address => {
    const { view, ...rest } = parseAddress(hash)
    return { view: toView(view), ...rest }
  }
  /** An address that names no view, or one that there is not, becomes that of the view that is shown. */
  const correct = () => history.replaceState(history.state, '', toHash(parse(location.hash)))
  const [address, setAddress] = useState(() => parse(location.hash))
  useEffect(() => {
    correct()
    const update = () => {
      const next = parse(location.hash)
      correct()
      setAddress(next)
      onMove(next)
    }
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return {
    address,
    go(change) {
      location.hash = toHash({ ...parse(location.hash), ...change })
    },
    adjust(change) {
      const now = parse(location.hash)
      const hash = toHash({ ...now, ...(typeof change === 'function' ? change(now) : change) })
      setAddress(parse(hash))
      history.replaceState(history.state, '', hash)
    },
  }
}
