// What a row of the table of control methods says.
import type { Problem } from '../contract/problem.ts'
import type { Fields } from '../contract/schema.ts'
import type { ControlMethod } from './control.ts'

/** The arguments of a method, by their names. */
export type Input = Readonly<Record<string, unknown>>

export interface MethodRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/__mock`. Routes with the same method and path differ in their first argument. */
  readonly path: string
  /** It changes something. */
  readonly isWrite?: true
  /**
   * The arguments in their order, or `*` for the rest of the input. Over HTTP they are in path,
   * query or body.
   */
  readonly args?: readonly string[]
  /** Over HTTP, the body is the value of this argument. */
  readonly body?: string
  readonly input?: Fields
  readonly required?: readonly string[]
  findProblems?(input: Input): Problem[]
  /** The method concerns the whole mock, so that it takes no `?sandbox=`. */
  readonly isGlobal?: true
  /** `?sandbox=*` means all sandboxes. */
  readonly hasAll?: true
  /**
   * What the id in the path identifies. If there is none, the method returns false or undefined:
   * 404 over HTTP.
   */
  readonly of?: 'Animal' | 'Fault' | 'Sandbox'
  /**
   * It returns what it has added (201 over HTTP), the row of its change, or a summary of the state.
   */
  readonly returns?: 'added' | 'row' | 'summary'
  /** The media type of its result, which is a text; otherwise JSON. */
  readonly type?: string
  /** It starts the sandbox of a key, as a request does: it loads, sets or adds something. */
  readonly starts?: true
  readonly tool?: ReadingTool | ChangingTool
}

export type NamedRow = readonly [name: ControlMethod, row: MethodRow]

type ReadingTool = 'get_state' | 'list_requests' | 'what_if' | 'list_animals'
type ChangingTool =
  | 'load_scenario'
  | 'go_back'
  | 'change_animals'
  | 'break_operation'
  | 'clean_up'
  | 'change_settings'
