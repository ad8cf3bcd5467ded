// The table of tools. The rows of the control methods name the tool that an agent calls them with;
// a row here says what the tool is for, and what its methods do not say.
import { questions } from '../../contract/generated/questions.ts'
import { TEXT } from '../../contract/options.ts'
import type { Fields, Schema } from '../../contract/schema.ts'
import { scenarioList } from '../../scenario/generated/scenario-list.ts'
import { scenarioSchema } from '../../scenario/generated/scenario-schema.ts'
import { USUAL_KEY } from '../../world/scenario.ts'
import type { ControlMethod } from '../control.ts'
import { requestFields } from '../method-inputs.ts'
import type { Input, MethodRow } from '../method-row.ts'
import { explainRequest } from './explain-request.ts'
import type { Use } from './reach.ts'
import { sendAsApp } from './send-request.ts'
import type { DescribedBy } from './tool-arguments.ts'

export type ToolName = NonNullable<MethodRow['tool']> | 'explain_request' | 'send_request'

export interface ToolRow {
  readonly description: string
  /** The method that it calls if the agent names none; without one, the arguments decide. */
  readonly usual?: ControlMethod
  /** Arguments of its own, or in place of those of its methods. */
  readonly input?: Fields
  readonly describedBy?: DescribedBy
  /** Descriptions for arguments that have none in their schemas. */
  readonly words?: Fields
  /** Nothing takes back what it does. */
  readonly isDestructive?: true
  /** Instead of a control method. */
  run?(use: Use, input: Input): Promise<string>
  /** It may start a sandbox, as any request of the app may. */
  readonly starts?: true
}

export const MAX_PETS = 10

const scenarios = scenarioList.map(({ name, description }) => `${name} (${description})`)
const { pets, faults } = scenarioSchema.properties
const questionWords = Object.fromEntries(
  questions.map(({ id, question }) => [id, { description: question }]),
)
const change = requestFields()
const requestId: Schema = {
  type: 'integer',
  description: 'The id of a request, as list_requests shows it after #.',
}

export const toolRows: Readonly<Record<ToolName, ToolRow>> = {
  get_state: {
    description: `Look at the mock: its address, scenario and number of animals (summary), its
      whole state, what differs from the scenario (diff), its faults, clock, latency and
      API keys, what the API leaves open and the mock assumes (assumptions), what of the API was
      tried (coverage).`,
    usual: 'summary',
  },
  load_scenario: {
    description: `Give the mock another start: load a scenario, such as "sold-out" or
      {"pets":[{"name":"Rex","categoryId":1}]}, or reset to the present one. The timeline goes on.
      The resource animal-store://scenario-schema describes scenarios.
      Shipped: ${scenarios.join(', ')}.`,
    usual: 'load',
  },
  list_requests: {
    description: `See what the app did: its requests, the responses and why, and what you changed
      among them (timeline), or the requests alone. Identical requests in a row are one line.
      verify checks that an expected request came, and how often.`,
    usual: 'timeline',
    describedBy: { status: 'timeline' },
  },
  go_back: {
    description: `Take one change of yours back (undo), by default the last, or bring back the
      state before a row of list_requests (rewind).`,
    usual: 'undo',
  },
  what_if: {
    description: `Learn what the request of a row would have got with one thing changed: without
      faults, with other assumptions, at another time, or as another request. Nothing happens to
      the mock. alternatives: true lists every change that would have mattered.`,
    usual: 'whatIf',
  },
  list_animals: {
    description: 'Look at the animals in the store: some of them, or one by its id.',
    usual: 'pets.list',
    input: {
      limit: { type: 'integer', description: `At most this many; ${MAX_PETS} by default.` },
    },
  },
  change_animals: {
    description: `Change animals behind the back of the app, as another user would: add, change or
      remove one.`,
    describedBy: { id: 'pets.update', status: 'pets.update' },
    words: pets.items.properties,
  },
  break_operation: {
    description: `Make an operation fail, to see what the app does: an error status, a broken body,
      a dropped connection, a delay. Remove faults by their id, or all of them.`,
    usual: 'faults.add',
    describedBy: { id: 'faults.remove' },
    words: faults.items.properties,
  },
  clean_up: {
    description: `Empty the timeline, of all sandboxes unless you name one, or remove the sandbox of
      a key. Nothing takes that back.`,
    usual: 'clearRequests',
    isDestructive: true,
  },
  change_settings: {
    description: `Change the mock's clock, the latency of every response, which API keys are
      valid, or what it assumes where the API leaves something open.`,
    describedBy: { frozen: 'clock.freeze' },
    words: questionWords,
  },
  explain_request: {
    description: `Learn why a request got its response: the reason, what the state was, the
      assumptions behind it, and how to see it again. Without an id: the last request that failed.`,
    input: { id: requestId },
    run: explainRequest,
  },
  send_request: {
    description: `Send a request to the mock as the app would, or one from the request log again,
      and read the response. It is logged too.`,
    input: {
      again: {
        ...requestId,
        description: 'The id of a logged request to send again; the other arguments change it.',
      },
      path: {
        ...TEXT,
        description: 'Where to send it, such as /v1/pets?limit=5.',
      },
      method: {
        ...change.method,
        description: 'The HTTP method; POST with a body, GET without one by default.',
      },
      body: {
        ...change.body,
        description: 'The body: an object is sent as JSON, a text as it is.',
      },
      headers: {
        ...change.headers,
        description: 'By name; null leaves one out, as in {"content-type":null}.',
      },
      apiKey: {
        ...TEXT,
        description:
          `The API key; by default that of the sandbox or ${USUAL_KEY}, ` +
          'an empty text for none.',
      },
    },
    run: sendAsApp,
    starts: true,
  },
}
