// What a document takes over from the scenario that it extends.
import type { Scenario } from '../world/situation.ts'
import type { ScenarioDocument } from './document.ts'

/**
 * The document laid over its parent. A field of the document replaces the parent's, with three exceptions: `assume` is merged
 * question by question; `pets` and `generate` are one thing, the animals, so either of them replaces all of the parent's along
 * with its `nextId`; and name and description describe one scenario only, so they are not inherited.
 */
export function layOver({ $schema, extends: _, generate, ...own }: ScenarioDocument, parent: Scenario = {}): Scenario {
  const { name, description, pets, nextId, assume, ...rest } = parent
  const inherited = own.pets || generate ? rest : { ...rest, ...(pets ? { pets } : {}), ...(nextId === undefined ? {} : { nextId }) }
  return { ...inherited, ...own, ...(assume || own.assume ? { assume: { ...assume, ...own.assume } } : {}) }
}
