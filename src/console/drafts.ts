// What you typed and have neither saved nor sent. The tab keeps it for each mock and sandbox, also after a reload.
import { mockUrl } from './connection.ts'
import { currentSandbox } from './route.ts'
import { signal } from './signal.ts'

/** What you typed, by field. Without fields, there is nothing. */
export type Draft = Readonly<Record<string, string>>

const KEPT = `animal-store-mock.drafts ${mockUrl}`
const drafts = signal<Readonly<Record<string, Draft>>>(tryStorage(() => JSON.parse(String(sessionStorage.getItem(KEPT)))) ?? {})
const placeOf = (name: string) => JSON.stringify([name, currentSandbox()])

export const draftOf = (name: string): Draft => drafts.value[placeOf(name)] ?? {}

export const hasDraft = (name: string): boolean => Object.keys(draftOf(name)).length > 0

/** The one that you typed into last comes last. */
export const draftNames = () => Array.from(Object.keys(drafts.value), (place) => JSON.parse(place)[0] as string).filter(hasDraft)

export function keepDraft(name: string, draft: Draft): void {
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
