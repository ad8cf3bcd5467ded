// The header of a view: title, one sentence, and actions on the whole.
import type { ComponentChildren } from 'preact'

export function ViewHead({ title, lead, children }: { title: string; lead: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="view-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        <p class="lead">{lead}</p>
      </div>
      {children && <div class="buttons">{children}</div>}
    </header>
  )
}
