// Words of commands that people paste into a shell.
import { quoteForSh } from '../../control/text/copy-curl.ts'

const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/
/** What a shell interprets inside double quotes. */
const EXPANDED = /["$`\\!%]/

/** A word as sh, bash, zsh and fish read it back. cmd.exe knows only double quotes. */
export function quoteWord(word: string): string {
  if (PLAIN.test(word)) return word
  return EXPANDED.test(word) ? quoteForSh(word) : `"${word}"`
}
