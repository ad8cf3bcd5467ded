// A calibration as lines, for people and agents.
import type { Calibration, Finding } from '../../calibrate/calibrate.ts'
import { alignColumns } from './output.ts'

export function describeCalibration(result: Calibration): string[] {
  const { findings, notes, rows, scenario, outcome } = result
  const lines = alignColumns(findings.map(describeFinding))
  for (const note of notes) lines.push(`note: ${note}`)
  const { against, on } = scenario.calibrated ?? {}
  const explained = `${rows.explained} of ${rows.judged} responses explained`
  lines.push(`${against}, ${on}: ${explained}; ${outcome}`)
  return lines
}

function describeFinding({ verdict, id, detail, isAccepted }: Finding): string[] {
  return [isAccepted ? `accepted: ${verdict}` : verdict, id, detail]
}
