// What you typed and have neither saved nor sent. The tab keeps it for each mock and sandbox, even
// across reloads.
import { mockUrl } from './connection.ts'
import { currentSandbox } from './route.ts'
import { signal } from './signal.ts'
import type { Texts } from './text.ts'

const KEPT = `animal-store-mock.drafts ${mockUrl}`

/** The texts of each form, by field. A draft without fields is none. */
type Drafts = Readonly<Record<string, Texts>>
const drafts = signal<Drafts>(tryStorage(readKept) ?? {})

function readKept(): Drafts {
  const text = sessionStorage.getItem(KEPT)
  return text === null ? {} : JSON.parse(text)
}

export function draftOf(name: string): Texts {
  return drafts.value[placeOf(name)] ?? {}
}

export function hasDraft(name: string): boolean {
  return Object.keys(draftOf(name)).length > 0
}

/** The one that you typed into last comes last. */
export function draftNames(): string[] {
  const names = Object.keys(drafts.value).map((place): string => JSON.parse(place)[0])
  return names.filter(hasDraft)
}

export function keepDraft(name: string, draft: Texts): void {
  const place = placeOf(name)
  const { [place]: _, ...others } = drafts.value
  drafts.value = { ...others, [place]: draft }
  tryStorage(() => sessionStorage.setItem(KEPT, JSON.stringify(drafts.value)))
}

function placeOf(name: string): string {
  return JSON.stringify([name, currentSandbox()])
}

export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    // The storage may be full or forbidden.
  }
}
