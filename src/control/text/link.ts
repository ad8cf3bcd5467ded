// A recording as a link: its address, and what its sender should know before sharing it.
import { homepage } from '../../contract/generated/version.ts'
import { LONG_LINK_CHARACTERS } from '../../contract/limits.ts'
import { count } from '../../contract/problem.ts'
import type { Head } from '../../scenario/recording/line.ts'
import { writeLink } from '../../scenario/recording/link.ts'

export interface LinkOptions {
  /** The address of the player. @default that of the site */
  readonly player?: string | undefined
  /** The row that the player shows. @default none */
  readonly row?: number | undefined
}

interface RecordingLink {
  readonly url: string
  readonly rows: number
  /** What is in it, and who can read that: to be shown before it is copied. */
  readonly about: string
}

export async function createLink(
  recording: string,
  options: LinkOptions = {},
): Promise<RecordingLink> {
  const { player = `${homepage}play/`, row } = options
  const [head = ''] = recording.split('\n', 1)
  const { rows }: Head = JSON.parse(head)
  const url = `${player}#${await writeLink({ recording, row })}`
  return { url, rows, about: describeContents(rows) }
}

function describeContents(rows: number): string {
  const contents = `${count(rows, 'row')} with requests and responses, and the animals before each`
  return `It holds ${contents}, but no API keys. Anyone who has the link can read that.`
}

/** Some chats cut a longer one: offer the file, or a link with the last rows. */
export function isLongLink({ url }: Pick<RecordingLink, 'url'>): boolean {
  return url.length > LONG_LINK_CHARACTERS
}
