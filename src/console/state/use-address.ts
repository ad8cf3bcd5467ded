// The address as state of the page: going somewhere is a step that Back undoes, adjusting a filter is not.
import { useEffect, useState } from 'preact/hooks'
import { type Address, parseAddress, toHash } from './address.ts'

export interface Navigation {
  readonly address: Address
  /** Goes there. */
  go(change: Partial<Address>): void
  /** Changes the address in place. */
  adjust(change: Partial<Address>): void
}

export function useAddress(): Navigation {
  const [address, setAddress] = useState(() => parseAddress(location.hash))
  useEffect(() => {
    const update = () => setAddress(parseAddress(location.hash))
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return {
    address,
    go(change) {
      location.hash = toHash({ ...address, ...change })
    },
    adjust(change) {
      const hash = toHash({ ...address, ...change })
      setAddress(parseAddress(hash))
      history.replaceState(history.state, '', hash)
    },
  }
}
