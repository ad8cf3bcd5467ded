// The table of tools. The rows of the control methods name the tool that an agent calls them with;
// a row here says what the tool is for, and what its methods do not say.
import { assumptions } from '../../contract/generated/contract.ts'
import { OBJECT, TEXT } from '../../contract/options.ts'
import type { Fields, Schema } from '../../contract/schema.ts'
import { scenarioList } from '../../scenario/generated/scenario-list.ts'
import { scenarioSchema } from '../../scenario/generated/scenario-schema.ts'
import { USUAL_KEY } from '../../world/scenario.ts'
import type { ControlMethod } from '../control.ts'
import { describeRequestChange } from '../method-inputs.ts'
import type { Input, MethodRow } from '../method-row.ts'
import { explainRequest } from './explain-request.ts'
import type { Use } from './reach.ts'
import { sendAsApp } from './send-request.ts'
import type { DescribedBy } from './tool-arguments.ts'

export type ToolName = NonNullable<MethodRow['tool']> | 'explain_request' | 'send_request'

export interface ToolRow {
  readonly description: string
  /** The method that a reading tool calls if the agent names none. */
  readonly usual?: ControlMethod
  /** Arguments of its own, or in place of those of its methods. */
  readonly input?: Fields
  readonly describedBy?: DescribedBy
  /** Descriptions for arguments that have none in their schemas and need one. */
  readonly words?: Fields
  /** Nothing takes back what it does. */
  readonly isDestructive?: true
  /** Instead of a control method. */
  run?(use: Use, input: Input): Promise<readonly string[]>
  /** It may start a sandbox, as any request of the app may. */
  readonly starts?: true
}

export const MAX_PETS = 10

/** A question with one choice leaves nothing to change. */
const openQuestions = assumptions.filter(({ choices }) => choices.length > 1)
const questionChoices = openQuestions.map(({ id, choices }) => `${id}: ${choices.join('|')}`)
const scenarios = scenarioList.map(({ name }) => name)
const { pets, faults } = scenarioSchema.properties
const change = describeRequestChange()
/** What a what if takes, by the tools that describe it in full. */
const otherMoment: Fields = {
  assume: { ...OBJECT, description: 'Other choices, as in change_settings.' },
  with: { type: 'array', description: 'More faults, as in break_operation.' },
  pets: { ...OBJECT, description: 'Other animals by their ids; null removes one.' },
  request: {
    ...OBJECT,
    description: 'Another method, target, body or headers by name; null leaves one out.',
  },
}
const requestId: Schema = {
  type: 'integer',
  description: 'The number after # in list_requests.',
}

export const toolRows: Readonly<Record<ToolName, ToolRow>> = {
  get_state: {
    description: `Look at the mock: its address and scenario (summary), its state, what differs from
      the scenario (diff), what was tried (coverage), and more.`,
    usual: 'summary',
  },
  load_scenario: {
    description: `Start from another state: load a scenario, such as "sold-out" or
      {"pets":[{"name":"Rex","categoryId":1}]}, or reset to the present one.
      animal-store://scenario-schema describes scenarios. Shipped: ${scenarios.join(', ')}.`,
  },
  list_requests: {
    description: `See what the app did: requests, responses and why, and your changes among them
      (timeline), or requests alone. verify checks that a request came.`,
    usual: 'timeline',
    describedBy: { status: 'timeline' },
  },
  go_back: {
    description: `Undo a change of yours, by default the last, or bring back the state
      before a row of list_requests (rewind).`,
  },
  what_if: {
    description: `Learn what a logged request would have got with one thing changed, or with onward
      which later responses would differ. Nothing happens to the mock.`,
    usual: 'whatIf',
    input: otherMoment,
  },
  list_animals: {
    description: 'See the animals in the store.',
    usual: 'pets.list',
    input: {
      limit: { type: 'integer', description: `At most this many; ${MAX_PETS} by default.` },
    },
  },
  change_animals: {
    description: 'Change animals behind the back of the app, as another user would.',
    describedBy: { id: 'pets.update', status: 'pets.update' },
    words: { status: pets.items.properties.status },
  },
  break_operation: {
    description: 'Make an operation fail, or hold its responses, and take that back.',
    describedBy: { id: 'faults.remove' },
    words: faults.items.properties,
  },
  clean_up: {
    description: `Empty the timeline, of all sandboxes unless you name one, or remove a sandbox, for
      good.`,
    isDestructive: true,
  },
  change_settings: {
    description: `Change the clock, the latency of every response, which API keys are valid, or what
      the mock assumes where the spec is silent.`,
    describedBy: { frozen: 'clock.freeze' },
    input: { assume: { ...OBJECT, description: `By question: ${questionChoices.join('; ')}.` } },
  },
  explain_request: {
    description: `Learn why a request got its response, what it depends on, and how to see it again.
      Without an id: the last that failed.`,
    input: { id: requestId },
    run: explainRequest,
  },
  send_request: {
    description: `Send a request as the app would, or a logged one again. It is logged too.`,
    input: {
      again: {
        ...requestId,
        description: 'Sends this request again, changed by the other arguments.',
      },
      path: {
        ...TEXT,
        description: 'Such as /v1/pets?limit=5.',
      },
      method: {
        ...change.method,
        description: 'By default POST with a body, or else GET.',
      },
      body: {
        ...change.body,
        description: 'An object is sent as JSON, a text as it is.',
      },
      headers: {
        ...change.headers,
        description: 'By name; null leaves one out.',
      },
      apiKey: {
        ...TEXT,
        description: `By default that of the sandbox or ${USUAL_KEY}; empty for none.`,
      },
    },
    run: sendAsApp,
    starts: true,
  },
}
