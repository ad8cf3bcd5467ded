// What a release sends in place of what was decided, as people write it.
import type { Problem } from '../../contract/problem.ts'
import { objectOf, type Schema } from '../../contract/schema.ts'
import { isPlainObject } from '../../contract/values.ts'
import { findResponseFlaws, responseSchema } from './fault-response.ts'

const errorStatus: Schema = { type: 'integer', minimum: 400, maximum: 599 }

export const releaseSchema: Schema = {
  oneOf: [
    { enum: ['lost'] },
    objectOf(['status'], { status: errorStatus }),
    objectOf(['response'], { response: responseSchema }),
  ],
  title: '{ "status": 503 }, { "response": … } or "lost"',
  description: 'Send this instead: {"status":503} or "lost".',
}

export function findReleaseFlaws({ as }: { readonly as?: unknown }): Problem[] {
  const response = isPlainObject(as) ? as.response : undefined
  return isPlainObject(response) ? findResponseFlaws(response, 'as.response') : []
}
