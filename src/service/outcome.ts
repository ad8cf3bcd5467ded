// What the service decided about a call. A drop has no status, no fields and no body, so that none can be read by mistake.
import type { ApiError } from '../contract/errors.ts'
import type { Surprised } from '../surprise/respond.ts'

export type Outcome = Respond | { readonly kind: 'drop'; readonly refusal?: undefined; readonly surprise?: undefined }

export interface Respond {
  readonly kind: 'respond'
  readonly status: number
  readonly body: string
  /** Why it is not what the client asked for. */
  readonly refusal: ApiError | undefined
  /** What surprises made of it. */
  readonly surprise: Surprised | undefined
}
