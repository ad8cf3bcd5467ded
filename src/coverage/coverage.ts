// What a run has tried of the contract, as plain data: counts by name, without keys, bodies or values, so that merging is adding.

/** What was exercised so far. Files of coverage hold exactly this. */
export interface Coverage {
  /** The version of this format. */
  readonly format: 1
  /** The name, version and hash of the contract that the cells come from; only coverage of the same one can be merged. */
  readonly contract: string
  /** How many requests were counted, whatever became of them; CORS preflights are none. */
  readonly requests: number
  /** Every cell of the contract and how often it was tried: `createPet`, `createPet.400`, `listPets.status=sold`. */
  readonly cells: Counts
  /**
   * What else there was to count, none of which is a merit:
   * `fault:createPet 503` and `retried:createPet 503`, a fault that struck, and how often the same request came again after it;
   * `assumption:list-order=oldest-first listPets`, a response that depended on what the contract leaves open, `-` for no operation;
   * `undocumented:listPets.400`, a response that the contract does not list;
   * `near-miss:Missing /v1` or `near-miss:404`, a request that no operation matched, by the hint or the status that it got.
   */
  readonly beside: Counts
  /** The tests that depended on an assumption, by its id, where a kit knows them. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

type Counts = Readonly<Record<string, number>>
