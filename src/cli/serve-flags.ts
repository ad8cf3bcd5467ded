// What a mock that is to be started is told on the command line, once it has been read.
import type { AssumptionChoices } from '../generated/contract.ts'
import type { Fault } from '../world/faults.ts'
import type { LogStyle } from './parse-flags.ts'

export interface ServeFlags {
  /** Undefined if it was not asked for: then any will do. */
  readonly port?: number
  readonly host?: string
  readonly scenario: string
  readonly seed?: number
  readonly count?: number
  readonly apiKey?: readonly string[]
  readonly now?: string
  readonly frozen?: boolean
  readonly delay?: NonNullable<Fault['delay']>
  readonly fail?: readonly Fault[]
  readonly assume?: readonly Partial<AssumptionChoices>[]
  readonly sandbox?: boolean
  readonly corsOrigin?: readonly string[]
  readonly allowedHost?: readonly string[]
  readonly controlToken?: string
  readonly control: boolean
  readonly watch?: boolean
  readonly log: LogStyle
  readonly open?: boolean
  readonly readyFile?: string
}

export const DEFAULT_PORT = 7387
export const DEFAULT_SCENARIO = 'default'
