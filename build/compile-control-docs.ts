// The first sentence of every doc comment in src/control/control.ts, by the name of its method: what an agent reads about it.
import { readFileSync } from 'node:fs'

/** Reads the text, since TypeScript 7 has no API: a comment, then the method it belongs to; `pets: {` opens a group. */
export function readControlDocs(file: string): Record<string, string> {
  const docs: Record<string, string> = {}
  let group = ''
  for (const [, comment = '', indent = '', name = '', rest = ''] of readFileSync(file, 'utf8').matchAll(
    /\/\*\*([^/]*(?:\/(?!\*\*)[^/]*)*?)\*\/\n( +)(?:readonly )?(\w+)(\(|: \{)/g,
  )) {
    if (rest === ': {') group = `${name}.`
    else {
      const text = comment.replace(/\s*\n\s*\*\s?/g, ' ').trim()
      docs[indent.length > 2 ? group + name : name] = /^.*?[.](?= |$)/.exec(text)?.[0] ?? text
    }
  }
  return docs
}
