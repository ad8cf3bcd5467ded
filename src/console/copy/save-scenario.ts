// Saves a state as a scenario file: JSON with each animal and each fault on a line, exact at int64.
import { toJson } from '../../contract/int64-json.ts'
import type { Scenario } from '../../world/situation.ts'
import { escapeCharacter, UNSAFE } from '../text.ts'

const MAX_NAME_CHARACTERS = 80

export function renderScenario(scenario: Scenario): string {
  const lines = Object.entries(scenario).map(([name, value]) => `  ${toJson(name)}: ${renderValue(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function renderValue(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return escapeHidden(toJson(value))
  return `[\n${value.map((item) => `    ${escapeHidden(toJson(item))}`).join(',\n')}\n  ]`
}

/** Hidden characters can only be in strings. */
function escapeHidden(json: string): string {
  return json.replace(UNSAFE, escapeCharacter)
}

/** A file name that every system takes. */
export function fileName(name: string): string {
  const words = name.normalize('NFKD').split(/[^\w.-]+/)
  const plain = words
    .filter((word) => /\w/.test(word))
    .join('-')
    .slice(0, MAX_NAME_CHARACTERS)
  // A leading dot hides the file.
  return `${plain === '' ? 'scenario' : plain.replace(/^\./, '_')}.json`
}

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
