// Throughput as a share of bare, as an SVG that reads on a light and on a dark page.
import { operationNames } from './operations.ts'
import type { Standing } from './side-by-side.ts'

const LEFT = 190
const RIGHT = 70
const WIDTH = 760
const BAR = 14
const GAP = 3
const GROUP = operationNames.length * (BAR + GAP) + 16
const TOP = 74

const style = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .page { fill: #ffffff } .grid { stroke: #d1d9e0; stroke-width: 1 }
  .listPets { fill: #0b7285 } .getPet { fill: #3b5bdb } .createPet { fill: #c2255c }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .page { fill: #0d1117 } .small { fill: #9198a1 } .grid { stroke: #3d444d }
    .listPets { fill: #3bc9db } .getPet { fill: #91a7ff } .createPet { fill: #f783ac }
  }`

export function toChart(standings: readonly Standing[], caption: string): string {
  const shown = standings.filter(({ verdicts }) => verdicts.length > 0)
  const height = TOP + shown.length * GROUP + 34
  const bottom = TOP + shown.length * GROUP
  const most = Math.max(1, ...shown.flatMap(({ throughput }) => operationNames.map((name) => throughput[name].shareOfBare)))
  const scale = (share: number) => LEFT + (share / most) * (WIDTH - LEFT - RIGHT)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">Requests a second as a share of a bare node:http server</title>`,
    `<style>${style}\n</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>`,
    `<text class="title" x="16" y="28">Requests a second, as a share of a bare node:http server</text>`,
    ...operationNames.map((name, index) => legend(name, 16 + index * 96)),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => gridLine(scale(share), bottom, share === 1 ? 'bare' : String(share))),
  ]
  for (const [index, { name, throughput }] of shown.entries()) {
    const y = TOP + index * GROUP
    parts.push(
      `<text x="${LEFT - 12}" y="${y + GROUP / 2 - 3}" text-anchor="end"${index === 0 ? ' font-weight="600"' : ''}>${escapeXml(name)}</text>`,
    )
    for (const [line, operation] of operationNames.entries()) {
      const { shareOfBare } = throughput[operation]
      const top = y + line * (BAR + GAP)
      parts.push(
        `<rect class="${operation}" x="${LEFT}" y="${top}" width="${Math.max(1, scale(shareOfBare) - LEFT).toFixed(1)}" height="${BAR}" rx="2"/>`,
        `<text class="small" x="${(scale(shareOfBare) + 6).toFixed(1)}" y="${top + 11}">${shareOfBare.toFixed(2)}</text>`,
      )
    }
  }
  parts.push(`<text class="small" x="16" y="${height - 8}">${escapeXml(caption)}</text>`, '</svg>')
  return `${parts.join('\n')}\n`
}

function legend(name: string, x: number): string {
  return `<rect class="${name}" x="${x}" y="40" width="11" height="11" rx="2"/><text class="small" x="${x + 16}" y="50">${name}</text>`
}

function gridLine(x: number, bottom: number, label: string): string {
  return `<line class="grid" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${TOP - 6}" y2="${bottom - 8}"/><text class="small" x="${x.toFixed(1)}" y="${bottom + 8}" text-anchor="middle">${label}</text>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
