// An address that is broken between its parts where it has to be broken, rather than inside a word.
import { Fragment } from 'preact'
import { toVisible } from './to-visible.ts'

export function toBreakable(target: string) {
  return toVisible(target)
    .split(/(?<=[/?&])/)
    .map((part, index) => (
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ))
}
