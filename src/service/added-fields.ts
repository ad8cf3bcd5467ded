// The header fields that the service adds to some responses, and that pages of other origins may
// read.
import { SURPRISE_HEADER } from '../world/surprise.ts'

export const ADDED_FIELDS = {
  challenge: 'WWW-Authenticate',
  allow: 'Allow',
  sunset: 'Sunset',
  retryAfter: 'Retry-After',
  preferenceApplied: 'Preference-Applied',
  assumption: 'X-Mock-Assumption',
  surprise: SURPRISE_HEADER,
} as const
