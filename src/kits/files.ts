// The files of a kit, in Node: scenarios that it opens and recordings that it keeps. Not for
// Storybook: a bundler of its pages would look for Node's modules.
import type { UsageError } from '../contract/errors.ts'
import { MAX_PRINTED_LINK_CHARACTERS } from '../contract/limits.ts'
import { isReference } from '../scenario/document.ts'
import { openScenario } from '../scenario/open.ts'
import { hostFlags } from '../scenario/settings/texts.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { isNode, readVariable } from './environment.ts'

export function openInKit(given: unknown): ReadScenario | Promise<ReadScenario> {
  if (!isNode || !isReference(given)) return openScenario(given)
  return import('../hosts/node/scenario-files.ts').then((files) => files.findScenario(given))
}

/** Returns how to open the recording, at the row with the id, or why it could not be kept. */
export async function saveRecording(
  file: string,
  recording: string,
  id: number | undefined,
): Promise<string> {
  if (!isNode) return 'record: a recording needs Node'
  const { PRIVATE, replaceFile } = await import('../hosts/node/replace-file.ts')
  try {
    await replaceFile(file, recording, PRIVATE)
  } catch (error) {
    return (error as UsageError).message
  }
  const place = id === undefined ? file : `${file} --at ${id}`
  const link = await describeShortLink(recording, id)
  return `To see it again: npx animal-store-mock open ${place}${link}`
}

/** Nothing if it would fill the screen. */
async function describeShortLink(recording: string, row: number | undefined): Promise<string> {
  const { createLink } = await import('../control/text/link.ts')
  const { url } = await createLink(recording, { player: readVariable(hostFlags.player), row })
  return url.length > MAX_PRINTED_LINK_CHARACTERS ? '' : `\nOr open ${url}`
}
