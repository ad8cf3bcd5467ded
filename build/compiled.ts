// The two documents of spec/ as the contract module holds them.

/** A piece of parsed YAML. */
export type Yaml = Record<string, unknown>

/** A schema with its references and `allOf` resolved, as the engine reads it. */
export interface CompiledSchema {
  type?: string
  properties?: Record<string, CompiledSchema>
  items?: CompiledSchema
  required?: string[]
  [keyword: string]: unknown
}

/** One operation, as the engine reads it. */
export interface CompiledOperation {
  operationId: string
  method: string
  path: string
  deprecated: boolean
  sunset: string | null
  parameters: { name: string; in: string; required: boolean; schema: CompiledSchema }[]
  body: { required: boolean; mediaTypes: string[]; schema: CompiledSchema; schemaName: string } | null
  success: number
  statuses: number[]
}

/** One open question, as the engine reads it. */
export interface CompiledAssumption {
  id: string
  question: string
  silence: string
  default: string
  choices: { id: string; meaning: string }[]
  why: string
  /** The responses that rest on it without a note in the journal. */
  uncounted?: string
}

/** What the mock serves, as the engine reads it. */
export interface CompiledContract {
  title: string
  version: string
  basePath: string
  operations: Record<string, CompiledOperation>
  schemas: Record<string, CompiledSchema>
}
