// Links to recordings on a terminal, where a long one would fill the screen.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { LONG_LINK_CHARACTERS, MAX_PRINTED_LINK_CHARACTERS } from '../../contract/limits.ts'
import { createLink, isLongLink, type LinkOptions } from '../../control/text/link.ts'
import { PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import { notify, print } from './output.ts'
import { quoteWord } from './shell-word.ts'

const isTooLong = ({ url }: { readonly url: string }) => url.length > MAX_PRINTED_LINK_CHARACTERS

/** For a person or, through a pipe, a program, which takes a link of any length. */
export async function printLink(recording: string, options: LinkOptions): Promise<void> {
  const link = await createLink(recording, options)
  if (process.stdout.isTTY && isTooLong(link)) {
    throw new UsageError(
      `the link has ${link.url.length} characters, which is too long for a terminal; choose rows ` +
        'with --last or --rows, pipe it to another program, or write a file with -o bug.jsonl',
    )
  }
  notify(link.about)
  if (isLongLink(link)) {
    const advice = 'choose rows with --last 50, or write a file with -o bug.jsonl'
    notify(`Many chats cut a link of more than ${LONG_LINK_CHARACTERS} characters; ${advice}`)
  }
  await print(`${link.url}\n`)
}

/** After a run: the link, or how to open the file, which is a temporary one if none is named. */
export async function showLink(
  recording: string,
  options: LinkOptions & { readonly file: string | undefined },
): Promise<void> {
  const link = await createLink(recording, options)
  if (!isTooLong(link)) {
    notify(`${link.about} To see what happened, open ${link.url}`)
    return
  }
  // The caller has named it already.
  if (options.file !== undefined) return
  const file = join(await mkdtemp(join(tmpdir(), 'animal-store-')), 'exec.jsonl')
  await replaceFile(file, recording, PRIVATE)
  const length = `a link would have ${link.url.length} characters`
  notify(`${length}, so wrote ${file}: animal-store-mock open ${quoteWord(file)}`)
}
