// Long random lives of a mock, each step held against the reference model.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect } from 'vitest'
import { checkProperty } from '../support/property.ts'
import { anyCommand, type Command, settings, situation } from './commands.ts'
import { type Driver, driveServer, type Got, type Look, type Sent, toDocument, toScenario } from './drivers.ts'
import * as reference from './reference-model.ts'
import { createPet, getPet, listPets } from './reference-operations.ts'

const COMMANDS = 40

/** One step: what the model expects, and what comes. */
async function step(model: reference.Model, driver: Driver, one: Command): Promise<void> {
  const ask = async (expected: reference.Expected, sent: Sent) => compare(await driver.send(sent), expected)
  const sandbox = 'of' in one && model.isSandboxed ? one.of : undefined
  switch (one.do) {
    case 'nothing':
      return
    case 'create': {
      const { name, categoryId, status: at } = one.pet
      const fields = [`"name":${JSON.stringify(name)}`, `"categoryId":${categoryId}`]
      if (at) fields.push(`"status":"${at}"`)
      if (one.hasUnknownField) fields.push('"id":77')
      const contentType = one.isPlainText ? 'text/plain' : undefined
      return ask(
        reference.call(model, 'createPet', one, (world) => createPet(world, one)),
        { method: 'POST', target: '/v1/pets', key: one.key, prefer: one.prefer, contentType, body: `{${fields.join(',')}}` },
      )
    }
    case 'bad create':
      return ask(
        reference.call(model, 'createPet', one, (world) => reference.refuse(world, 400)),
        { method: 'POST', target: '/v1/pets', key: one.key, body: one.body },
      )
    case 'list':
      for (const query of one.queries) {
        const values = [...query.limit.map((value) => `limit=${value}`), ...query.status.map((value) => `status=${value}`)].join('&')
        await ask(
          reference.call(model, 'listPets', one, (world) => listPets(world, query)),
          { method: 'GET', target: `/v1/pets${values && `?${values}`}`, key: one.key, prefer: one.prefer },
        )
      }
      return
    case 'get': {
      // Some of the numbers pick an animal that is there, the others one that is not there yet.
      const { pets, nextId } = reference.peek(model, one.key ?? undefined)
      const id = String(pets[one.pick]?.id ?? nextId + BigInt(one.pick))
      return ask(
        reference.call(model, 'getPet', one, (world) => getPet(world, id)),
        { method: 'GET', target: `/v1/pets/${id}`, key: one.key, prefer: one.prefer },
      )
    }
    case 'bad get':
      return ask(
        reference.call(model, 'getPet', one, (world) => getPet(world, one.id)),
        { method: 'GET', target: `/v1/pets/${one.id}`, key: one.key },
      )
    case 'stray':
      return ask(reference.stray(model, one.key, one.status), { method: one.method, target: one.target, key: one.key })
    case 'reset':
      assert.equal(await driver.reset(sandbox), true)
      return reference.replace(model, sandbox, reference.peek(model, sandbox).situation)
    case 'load':
      assert.equal(await driver.load(toDocument(one.situation), sandbox), true)
      return reference.replace(model, sandbox, one.situation)
    case 'bad load':
      assert.equal(await driver.load(one.document, sandbox), false)
      return
    case 'fault':
      assert.equal(await driver.addFault(one.fault, sandbox), true)
      return reference.addFault(reference.worldOf(model, sandbox), one.fault)
    case 'assume': {
      assert.equal(await driver.assume(one.choices, sandbox), true)
      const world = reference.worldOf(model, sandbox)
      world.choices = { ...world.choices, ...one.choices }
      return
    }
    case 'clear faults':
      assert.equal(await driver.clearFaults(sandbox), true)
      reference.worldOf(model, sandbox).faults = []
      return
    case 'set clock':
      assert.equal(await driver.turnClock({ now: new Date(one.now).toISOString() }, sandbox), true)
      reference.worldOf(model, sandbox).now = one.now
      return
    case 'advance clock':
      assert.equal(await driver.turnClock({ advance: `P${one.days}D` }, sandbox), true)
      reference.worldOf(model, sandbox).now += one.days * 86_400_000
      return
    case 'look':
      return compareWorlds(await driver.look(sandbox), model, sandbox)
    case 'remove sandbox':
      assert.equal(await driver.removeSandbox(one.key), model.sandboxes.delete(one.key))
  }
}

function compare({ status, headers, text }: Got, expected: reference.Expected): void {
  assert.equal(status, expected.status, `${status} instead of ${expected.status}: ${text}`)
  if (status === 0) return
  if (expected.text !== undefined) assert.equal(text, expected.text)
  else {
    const { message, ...rest } = JSON.parse(text)
    assert.ok(typeof message === 'string' && message !== '', text)
    assert.deepEqual(rest, { code: expected.code, status })
  }
  for (const name in expected.headers) assert.equal(headers[name], expected.headers[name], `${name}: ${headers[name]}`)
}

function compareWorlds({ state, requestLog, sandboxes }: Look, model: reference.Model, sandbox: string | undefined): void {
  const world = reference.peek(model, sandbox)
  const pets = `"pets":[${world.pets.map(reference.toText).join(',')}]`
  assert.ok(state.includes(pets), `${state} does not have ${pets}`)
  const nextId = /"nextId":(-?\d+)/.exec(state.slice(state.indexOf(pets) + pets.length))?.[1]
  assert.equal(nextId, world.nextId > 2n ** 63n - 1n ? undefined : String(world.nextId))
  const { now, faults, latency, assume } = JSON.parse(state)
  assert.equal(now, new Date(world.now).toISOString())
  assert.deepEqual(faults, world.faults)
  assert.deepEqual(latency, world.situation.latency)
  for (const question of Object.keys(reference.QUESTIONS) as (keyof reference.Choices)[])
    assert.equal(assume[question], reference.choiceOf(world, question))
  assert.deepEqual(
    requestLog.map(({ status, assumptions }) => ({ status, assumptions })),
    world.requestLog,
  )
  const [least = 0] = [world.situation.latency].flat()
  for (const { durationMs } of requestLog) assert.ok(durationMs >= least - 1, `${durationMs} ms with a latency of ${least}`)
  assert.deepEqual(sandboxes, [...model.sandboxes.keys()])
}

/** Runs this many mocks, each with its model; throws at the first difference. */
export async function live(runs: number): Promise<void> {
  const seen = new Set<string>()
  const life = fc.array(anyCommand, { minLength: COMMANDS, maxLength: COMMANDS })
  await checkProperty(
    'lives on the server',
    runs,
    fc.asyncProperty(situation, settings, life, async (first, made, commands) => {
      const { isSandboxed: sandbox, entries } = made
      const driver = await driveServer({
        scenario: toScenario(toDocument(first)),
        sandbox,
        ...(entries === undefined ? {} : { requestLog: { entries } }),
      })
      const model = reference.createModel(first, made)
      try {
        for (const one of commands) {
          await step(model, driver, one)
          if (one.do !== 'nothing') seen.add(one.do)
        }
        compareWorlds(await driver.look(), model, undefined)
        for (const sandbox of model.sandboxes.keys()) compareWorlds(await driver.look(sandbox), model, sandbox)
      } finally {
        await driver.end()
      }
    }),
  )
  expect(seen.size).toBe(16)
}
