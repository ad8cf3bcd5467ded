// The header fields that only some responses of the service have, besides CORS and those that a
// fault spells out. Pages of other origins may read them all.
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
