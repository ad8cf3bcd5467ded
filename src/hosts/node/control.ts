// The control API on a real port, and its token.
import type { Control } from '../../control/control.ts'
import { type ControlApi, createControlApi } from '../../control/control-api.ts'
import { parseControlToken } from '../../control/control-token.ts'
import { BOOLEAN } from '../../mock/options.ts'

/** The options of both doors. The token has its own check, which does not repeat it. */
export const controlRules = { control: BOOLEAN, controlToken: { expected: 'a token', fits: () => true } }

export interface NodeControl extends ControlApi {
  /** The token that a client has to send, if any. */
  readonly token: string | undefined
}

interface NodeControlSettings {
  readonly isOn: boolean
  /** Whether others on the network can reach it, so that it needs a token; one is generated if none is given. */
  readonly isExposed: boolean
  readonly token: string | undefined
  readonly schemes?: readonly string[]
}

export function createNodeControl(control: Control, settings: NodeControlSettings): NodeControl {
  const token = chooseToken(settings)
  const isToken = token === undefined ? undefined : createTokenCheck(token)
  return { token, ...createControlApi(control, { ...settings, isToken }) }
}

/** Loaded when it is needed: most servers start without a token. */
const crypto = () => process.getBuiltinModule('node:crypto')

function chooseToken({ isOn, isExposed, token }: NodeControlSettings): string | undefined {
  if (!isOn) return undefined
  if (token !== undefined) return parseControlToken(token)
  return isExposed ? crypto().randomBytes(24).toString('base64url') : undefined
}

/** Compares digests, so that the time it takes tells nothing about the token or its length. */
function createTokenCheck(token: string): (sent: string) => boolean {
  const { createHash, timingSafeEqual } = crypto()
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(token)
  return (sent) => timingSafeEqual(digest(sent), expected)
}
