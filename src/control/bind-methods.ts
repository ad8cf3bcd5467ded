// The control methods as functions.
import { misuse } from '../contract/errors.ts'
import { checkValue, OBJECT } from '../contract/options.ts'
import { withoutUndefined } from '../contract/values.ts'
import type { ControlMethod } from './control.ts'
import type { Input, MethodRow } from './method-row.ts'
import { methodRows } from './methods.ts'

type Run = (name: ControlMethod, readInput: () => Input) => unknown

/**
 * `pets.get` becomes `pets: { get }`. `run` gets the name of the method, and a function that reads
 * the arguments by their names, which throws if they cannot be read.
 */
export function bindMethods(run: Run, hasGlobal = true): object {
  const functions: Record<string, unknown> = {}
  for (const [name, row] of methodRows) {
    if (row.isGlobal && !hasGlobal) continue
    const call = (...values: readonly unknown[]) => run(name, () => nameArguments(row, values))
    const [first = '', second] = name.split('.')
    if (second === undefined) functions[first] = call
    else functions[first] = { ...(functions[first] as object | undefined), [second]: call }
  }
  return functions
}

function nameArguments(row: MethodRow, values: readonly unknown[]): Input {
  const named: Record<string, unknown> = {}
  for (const [index, name] of (row.args ?? []).entries()) named[name] = values[index]
  const { '*': rest = {}, ...own } = named
  const options: Input = checkValue(OBJECT, rest as Input, 'options')
  const given = Object.keys(withoutUndefined(options))
  const twice = given.find((name) => Object.hasOwn(own, name))
  if (twice !== undefined) throw misuse(twice, 'given twice; leave it out of the options')
  return { ...options, ...own }
}
