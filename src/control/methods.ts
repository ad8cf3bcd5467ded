// The table of control methods. The control, the HTTP routes, the remote client, the tools for
// agents and the docs are derived from it.
import { MAX_LIST_ITEMS } from '../contract/limits.ts'
import { BOOLEAN, type OptionSchemas, TEXT } from '../contract/options.ts'
import { addedPetSchema } from '../contract/pet.ts'
import { orNull } from '../contract/schema.ts'
import { durationSchema, latencySchema } from '../scenario/settings/duration.ts'
import { faultSchema, findFlaws } from '../scenario/settings/fault.ts'
import { findReleaseFlaws, releaseSchema } from '../scenario/settings/release.ts'
import { assumeSchema } from '../scenario/settings/rows.ts'
import type { ControlMethod, StateOptions } from './control.ts'
import {
  ANIMAL_ID,
  describeAddedPet,
  describeChangedPet,
  describeExpectation,
  describePetFilter,
  describeRecordingOptions,
  describeRequestFilter,
  EVERY_SANDBOX,
  FILE_NAME,
  FROZEN,
  findExpectationProblems,
  findKeyProblems,
  findTimeProblems,
  ROW_ID,
} from './method-inputs.ts'
import type { MethodRow, NamedRow } from './method-row.ts'
import { RECORDING_TYPE } from './protocol.ts'
import { describeMoment, describeWhatIf, findMomentProblems } from './what-if-inputs.ts'

/**
 * A method that returns nothing, or only `true`, answers 204, any other 200, unless its row says
 * otherwise.
 */
export const methods = /* @__PURE__ */ createMethods()

export const methodRows = /* @__PURE__ */ Object.entries(methods) as readonly NamedRow[]

/** Routes that are not methods. */
export const extras = {
  openapi: { method: 'GET', path: '/openapi.json', isGlobal: true },
  mcp: { method: 'POST', path: '/mcp', isGlobal: true },
  events: { method: 'GET', path: '/events' },
} as const satisfies Record<string, MethodRow>

function createMethods(): Readonly<Record<ControlMethod, MethodRow>> {
  return {
    summary: {
      method: 'GET',
      path: '/health',
      tool: 'get_state',
    },
    reset: {
      method: 'POST',
      path: '/reset',
      isWrite: true,
      tool: 'load_scenario',
      returns: 'summary',
    },
    state: {
      method: 'GET',
      path: '/state',
      tool: 'get_state',
      args: ['*'],
      input: {
        before: ROW_ID,
        pets: { ...BOOLEAN, description: 'False leaves the animals out.' },
      } satisfies OptionSchemas<StateOptions>,
    },
    load: {
      method: 'PUT',
      path: '/state',
      isWrite: true,
      tool: 'load_scenario',
      args: ['scenario'],
      input: {
        scenario: {
          description: 'A shipped name, a scenario, or a list of animals.',
        },
      },
      required: ['scenario'],
      body: 'scenario',
      returns: 'summary',
      starts: true,
    },
    diff: {
      method: 'GET',
      path: '/diff',
      tool: 'get_state',
      args: ['*'],
      input: { before: ROW_ID, since: ROW_ID },
    },
    timeline: {
      method: 'GET',
      path: '/timeline',
      tool: 'list_requests',
      args: ['*'],
      input: describeRequestFilter(),
      hasAll: true,
    },
    undo: {
      method: 'POST',
      path: '/undo',
      isWrite: true,
      tool: 'go_back',
      args: ['id'],
      input: { id: ROW_ID },
      required: [],
      returns: 'row',
    },
    rewind: {
      method: 'POST',
      path: '/rewind',
      isWrite: true,
      tool: 'go_back',
      args: ['id'],
      input: { id: ROW_ID },
      required: ['id'],
      returns: 'row',
    },
    recording: {
      method: 'GET',
      path: '/recording',
      args: ['*'],
      input: describeRecordingOptions(),
      hasAll: true,
      type: RECORDING_TYPE,
    },
    'pets.list': {
      method: 'GET',
      path: '/pets',
      tool: 'list_animals',
      args: ['*'],
      input: describePetFilter(),
    },
    'pets.get': {
      method: 'GET',
      path: '/pets/{id}',
      tool: 'list_animals',
      args: ['id'],
      input: { id: ANIMAL_ID },
      required: ['id'],
      of: 'Animal',
    },
    'pets.add': {
      method: 'POST',
      path: '/pets',
      isWrite: true,
      tool: 'change_animals',
      args: ['*'],
      input: describeAddedPet(),
      required: addedPetSchema.required ?? [],
      returns: 'added',
      starts: true,
    },
    'pets.update': {
      method: 'PATCH',
      path: '/pets/{id}',
      isWrite: true,
      tool: 'change_animals',
      args: ['id', '*'],
      input: describeChangedPet(),
      required: ['id'],
      of: 'Animal',
    },
    'pets.remove': {
      method: 'DELETE',
      path: '/pets/{id}',
      isWrite: true,
      tool: 'change_animals',
      args: ['id'],
      input: { id: ANIMAL_ID },
      required: ['id'],
      of: 'Animal',
    },
    'faults.list': {
      method: 'GET',
      path: '/faults',
      tool: 'get_state',
    },
    'faults.add': {
      method: 'POST',
      path: '/faults',
      isWrite: true,
      tool: 'break_operation',
      args: ['*'],
      input: faultSchema.properties ?? {},
      required: faultSchema.required ?? [],
      findProblems: findFlaws,
      returns: 'added',
      starts: true,
    },
    'faults.remove': {
      method: 'DELETE',
      path: '/faults/{id}',
      isWrite: true,
      tool: 'break_operation',
      args: ['id'],
      input: { id: { ...TEXT, description: 'The id of a fault.' } },
      required: ['id'],
      of: 'Fault',
    },
    'faults.clear': {
      method: 'DELETE',
      path: '/faults',
      isWrite: true,
      tool: 'break_operation',
    },
    requests: {
      method: 'GET',
      path: '/requests',
      tool: 'list_requests',
      args: ['*'],
      input: describeRequestFilter(),
      hasAll: true,
    },
    verify: {
      method: 'POST',
      path: '/verify',
      tool: 'list_requests',
      args: ['*'],
      input: describeExpectation(),
      findProblems: findExpectationProblems,
    },
    held: {
      method: 'GET',
      path: '/held',
      tool: 'list_requests',
    },
    // It changes no state, so that it adds no row.
    release: {
      method: 'POST',
      path: '/release',
      isWrite: true,
      tool: 'break_operation',
      args: ['id', 'as'],
      input: { id: ROW_ID, as: releaseSchema },
      findProblems: findReleaseFlaws,
    },
    whatIf: {
      method: 'POST',
      path: '/what-if',
      tool: 'what_if',
      args: ['id', '*'],
      input: describeWhatIf(),
      required: ['id'],
      findProblems: findMomentProblems,
    },
    makeReal: {
      method: 'POST',
      path: '/make-real',
      isWrite: true,
      args: ['id', '*'],
      input: describeMoment(),
      required: ['id'],
      findProblems: findMomentProblems,
      returns: 'row',
    },
    // It also deletes changes, despite its name and path.
    clearRequests: {
      method: 'DELETE',
      path: '/requests',
      isWrite: true,
      tool: 'clean_up',
      args: ['*'],
      input: { sandbox: EVERY_SANDBOX },
      hasAll: true,
    },
    'clock.get': {
      method: 'GET',
      path: '/clock',
      tool: 'get_state',
    },
    'clock.set': {
      method: 'PUT',
      path: '/clock',
      isWrite: true,
      tool: 'change_settings',
      args: ['now', '*'],
      input: {
        now: {
          oneOf: [orNull(TEXT)],
          title: 'a date such as 2030-12-06, or null',
          description: 'A date such as 2030-12-06; null follows real time again.',
        },
        frozen: FROZEN,
      },
      required: ['now'],
      findProblems: findTimeProblems,
      starts: true,
    },
    'clock.advance': {
      method: 'PUT',
      path: '/clock',
      isWrite: true,
      tool: 'change_settings',
      args: ['advance', '*'],
      input: {
        advance: {
          ...durationSchema,
          description: 'Such as 30s, -1d or PT30M.',
        },
        frozen: FROZEN,
      },
      required: ['advance'],
      starts: true,
    },
    'clock.freeze': {
      method: 'PUT',
      path: '/clock',
      isWrite: true,
      tool: 'change_settings',
      args: ['frozen'],
      input: { frozen: { ...FROZEN, default: true } },
      required: [],
      starts: true,
    },
    'latency.get': {
      method: 'GET',
      path: '/latency',
      tool: 'get_state',
    },
    'latency.set': {
      method: 'PUT',
      path: '/latency',
      isWrite: true,
      tool: 'change_settings',
      args: ['latency'],
      input: {
        latency: {
          ...latencySchema,
          description: 'A delay such as 200, 1.5s or 200-800; off or null for none.',
        },
      },
      required: ['latency'],
      body: 'latency',
      findProblems: findTimeProblems,
      starts: true,
    },
    'keys.get': {
      method: 'GET',
      path: '/keys',
      tool: 'get_state',
    },
    'keys.set': {
      method: 'PUT',
      path: '/keys',
      isWrite: true,
      tool: 'change_settings',
      args: ['keys'],
      input: {
        keys: {
          ...orNull({ type: 'array', maxItems: MAX_LIST_ITEMS }),
          description: 'The only valid API keys; an empty list for none, null for any.',
        },
      },
      required: ['keys'],
      body: 'keys',
      findProblems: findKeyProblems,
      starts: true,
    },
    assumptions: {
      method: 'GET',
      path: '/assumptions',
      tool: 'get_state',
      args: ['*'],
      input: { before: ROW_ID },
    },
    assume: {
      method: 'PUT',
      path: '/assumptions',
      isWrite: true,
      tool: 'change_settings',
      args: ['assume'],
      input: { assume: assumeSchema },
      required: ['assume'],
      body: 'assume',
      starts: true,
    },
    coverage: {
      method: 'GET',
      path: '/coverage',
      tool: 'get_state',
      args: ['*'],
      input: {
        outcomes: {
          ...BOOLEAN,
          description: 'Counts requests that another choice would change.',
        },
      },
      isGlobal: true,
    },
    scenarios: {
      method: 'GET',
      path: '/scenarios',
      tool: 'get_state',
      isGlobal: true,
    },
    sandboxes: {
      method: 'GET',
      path: '/sandboxes',
      tool: 'get_state',
      isGlobal: true,
    },
    removeSandbox: {
      method: 'DELETE',
      path: '/sandboxes/{id}',
      isWrite: true,
      tool: 'clean_up',
      args: ['id'],
      input: { id: { ...TEXT, description: 'The API key of the sandbox.' } },
      required: ['id'],
      isGlobal: true,
      of: 'Sandbox',
    },
    openRecording: {
      method: 'PUT',
      path: '/recording',
      isWrite: true,
      args: ['recording', '*'],
      input: {
        recording: { ...TEXT, description: 'The text of a recording.' },
        file: { ...FILE_NAME, description: 'Its name, which the console shows.' },
      },
      required: ['recording'],
      isGlobal: true,
      returns: 'row',
    },
  }
}
