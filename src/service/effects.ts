// What a fault or surprises make of a response that has been decided.
import { breakBody } from '../fault-body.ts'
import { nameTarget, SURPRISE_HEADER, surpriseResponse } from '../surprise/respond.ts'
import type { Surprise } from '../surprise/setting.ts'
import { addNote } from '../world/log-entry.ts'
import type { Call } from './call.ts'
import type { Respond } from './outcome.ts'
import { addHeader, type Recorder } from './recorder.ts'

export function applyEffects(call: Call, decided: Respond, recorder: Recorder): Respond {
  const { strike, world } = recorder
  if (strike?.body !== undefined) return applyBody(decided, recorder)
  return world.surprise === undefined ? decided : applySurprise(call, decided, recorder, world.surprise)
}

/** The response with the body of a fault. A success gets the status of the fault; a refusal keeps its own. */
function applyBody({ status: own, body, refusal, surprise }: Respond, recorder: Recorder): Respond {
  const { strike } = recorder
  const status = own < 400 ? (strike?.status ?? own) : own
  const kind = strike?.body ?? 'empty'
  if (kind === 'html') addHeader(recorder, 'Content-Type', 'text/html; charset=utf-8')
  return { kind: 'respond', status, body: breakBody(kind, status, body), refusal, surprise }
}

function applySurprise(call: Call, decided: Respond, recorder: Recorder, setting: Surprise): Respond {
  const { operation, strike, world, sent } = recorder
  const isDocumented = operation && (operation.statuses as readonly number[]).includes(decided.status)
  // What a fault has touched stays as it is.
  if (!isDocumented || call.method === 'HEAD' || (strike && strike.faults.length > 0)) return decided
  const target = nameTarget(operation, sent)
  const surprise = surpriseResponse(setting, `${target}#${world.countCall(target)}`, decided.body, call.showsWire === true)
  for (const label of surprise.unshown) addNote(recorder, `This host cannot show the surprise ${label}`)
  if (surprise.mediaType !== undefined) addHeader(recorder, 'Content-Type', surprise.mediaType)
  addHeader(recorder, SURPRISE_HEADER, surprise.header)
  return { kind: 'respond', status: decided.status, body: surprise.body, refusal: decided.refusal, surprise }
}
