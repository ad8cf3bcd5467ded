// The single changes that would have changed a response, and how often each choice would have.
import { type AssumptionId, assumptions, contract } from '../contract/generated/contract.ts'
import type { Task } from '../contract/turns.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import { DAY_MS } from '../world/clock.ts'
import { isAsked } from '../world/row.ts'
import type { Alternative, OutcomeCount, WhatIfChange } from './control.ts'
import { isKnown, type KnownRequest } from './known-request.ts'
import type { View } from './view.ts'
import { changesStatus, explainKey, imagineReply } from './what-if.ts'

type Choice = { readonly assumption: AssumptionId; readonly choice: string }

/** One change of each thing that mattered, if it gives another response. */
export function listAlternatives(view: View, row: KnownRequest): Alternative[] {
  const alternatives: Alternative[] = []
  for (const change of listChanges(row)) {
    const would = imagineReply(view, row, change)
    if (!would) alternatives.push({ change, status: null, error: explainKey(row) })
    else if (would.differs) {
      const { status, outcome, error } = would
      alternatives.push({ change, status, outcome, error })
    }
  }
  return alternatives
}

/** Its faults, its `Prefer`, the choices that it depends on, the day of a removal. */
function listChanges(row: KnownRequest): WhatIfChange[] {
  const changes: WhatIfChange[] = []
  const known = row.before.faults.map((one) => one.fault.id)
  const faults = row.faults.filter((id) => known.includes(id))
  if (faults.length > 0) changes.push({ without: faults })
  if (isAsked(row)) changes.push({ request: { headers: { prefer: null } } })
  for (const { assumption, choice } of listChoices(row)) {
    changes.push({ assume: { [assumption]: choice } })
  }
  return [...changes, ...listOtherDays(row)]
}

/** Those of the row's assumptions, including the current ones, which change nothing. */
function listChoices(row: KnownRequest): Choice[] {
  const named = nameAssumptions(row.assumptions)
  const choices: Choice[] = []
  for (const question of assumptions) {
    if (!named.includes(question.id)) continue
    for (const choice of question.choices) choices.push({ assumption: question.id, choice })
  }
  return choices
}

/** The days before and after an operation is removed. */
function listOtherDays(row: KnownRequest): WhatIfChange[] {
  const sunset = row.operation && contract.operations[row.operation].sunset
  if (!sunset) return []
  const removal = Date.parse(sunset)
  return [removal - DAY_MS, removal + DAY_MS].map((instant) => {
    return { at: new Date(instant).toISOString().slice(0, 10) }
  })
}

/**
 * The task of counting how many requests of the log would get another status, the most important
 * choice first. It pauses after each request.
 */
export function* takeOutcomes(view: View): Task<OutcomeCount[]> {
  const counts = new Map<string, OutcomeCount>()
  for (const world of view.worlds.all()) {
    for (const row of world.timeline.requests()) {
      // During a pause it may give up its state.
      if (!isKnown(row)) continue
      for (const { assumption, choice } of listChoices(row)) {
        const change = { assume: { [assumption]: choice } }
        if (!changesStatus({ ...view, world }, row, change)) continue
        const name = `${assumption}=${choice}`
        const requests = (counts.get(name)?.requests ?? 0) + 1
        counts.set(name, { assumption, choice, requests })
      }
      yield
    }
  }
  return [...counts.values()].sort((one, other) => other.requests - one.requests)
}
