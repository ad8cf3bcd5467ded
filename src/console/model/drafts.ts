// What you typed and have neither saved nor sent. The tab keeps it for each mock and sandbox, even
// across reloads.
import { mockUrl } from './connection.ts'
import { currentSandbox } from './route.ts'
import { signal } from './signal.ts'
import type { Texts } from './text.ts'

const KEPT = `animal-store-mock.drafts ${mockUrl}`
const kept = tryStorage(() => JSON.parse(String(sessionStorage.getItem(KEPT))))
/** The texts of each form, by field. Without fields, there is nothing. */
const drafts = signal<Readonly<Record<string, Texts>>>(kept ?? {})
const placeOf = (name: string) => JSON.stringify([name, currentSandbox()])
const nameIn = (place: string): string => JSON.parse(place)[0]

export const draftOf = (name: string): Texts => drafts.value[placeOf(name)] ?? {}

export const hasDraft = (name: string): boolean => Object.keys(draftOf(name)).length > 0

/** The one that you typed into last comes last. */
export const draftNames = () => Object.keys(drafts.value).map(nameIn).filter(hasDraft)

export function keepDraft(name: string, draft: Texts): void {
  const { [placeOf(name)]: _, ...others } = drafts.value
  drafts.value = { ...others, [placeOf(name)]: draft }
  tryStorage(() => sessionStorage.setItem(KEPT, JSON.stringify(drafts.value)))
}

export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    // The storage may be full or forbidden.
  }
}
