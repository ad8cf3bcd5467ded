// Tables and pages in Markdown.

export type Row = readonly string[]

/** The first row is the head. */
export function renderTable(table: readonly Row[]): string {
  const [head = [], ...rows] = table
  const rule = `|${head.map(() => '---|').join('')}`
  return [renderLine(head), rule, ...rows.map(renderLine)].join('\n')
}

function renderLine(cells: Row): string {
  const shown = cells.map((cell) => protectPlaceholders(cell).replaceAll('|', '\\|'))
  return `| ${shown.join(' | ')} |`
}

/** Placeholders such as <key> would be HTML outside code. */
function protectPlaceholders(cell: string): string {
  return cell.replaceAll(/`[^`]*`|<[\w|]+>/g, (part) =>
    part.startsWith('<') ? `\`${part}\`` : part,
  )
}

export function renderPage(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n').replace(/\n+$/, '')}\n`
}

/** Code in a cell or a sentence. */
export function code(text: string): string {
  return `\`${text}\``
}
