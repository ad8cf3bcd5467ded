// Scenarios that somebody sent to the control API: of other scenarios they can extend the shipped ones only, and they generate no more
// animals than others can wait for.
import { toSentences } from '../contract/schema.ts'
import { MAX_GENERATED_PETS_PER_REQUEST } from '../limits.ts'
import type { Scenario } from '../world/situation.ts'
import { toDocumentSentence } from './check.ts'
import { parseText } from './parse.ts'
import type { YamlReader } from './read-yaml.ts'
import { resolveDocument } from './resolve.ts'
import type { Shipped } from './scenario-file.ts'

const SENT = { shipped: importShipped, maxGenerated: MAX_GENERATED_PETS_PER_REQUEST }

/** The scenario in the text of a file. */
export async function readSentText(text: string, file: string, yaml?: YamlReader): Promise<Scenario> {
  const { value, ...parsed } = await parseText(text, file, yaml)
  return { name: toStem(file), ...(await resolveDocument(value, { ...parsed, ...SENT })) }
}

/** The scenario of a document that was sent as a value. */
export async function resolveSentDocument(document: unknown): Promise<Scenario> {
  return resolveDocument(document, { ...SENT, report: async (problems) => toSentences(problems, toDocumentSentence) })
}

export async function importShipped(): Promise<Shipped> {
  const { scenarios } = await import('../scenarios.ts')
  return scenarios
}

/** The name of a file without folders and extension. */
function toStem(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return /^(.+)\.[^.]*$/.exec(name)?.[1] ?? name
}
