// Stops the build at whatever spec/openapi.yaml says and the mock does not do, so that the YAML never promises more than the mock
// keeps. contract-shape.ts lists the keywords; here are the rules about how they may be combined.
import { dereference } from '../src/contract/dereference.ts'
import { findViolations, toSentences } from '../src/contract/schema.ts'
import type { Yaml } from './compiled.ts'
import { contractShape } from './contract-shape.ts'

type Report = (at: string, problem: string) => void

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Yaml
}

const PROSE = ['summary', 'title', 'description', 'example', 'examples']
/** The shape of every error that the mock sends. */
const ERROR = '#/components/schemas/Error'
const ERROR_FIELDS = ['code', 'message', 'status']
const FORMATS: Readonly<Record<string, string>> = { int64: 'integer', 'date-time': 'string' }
/** A parameter arrives as text; these are the types it is read as. */
const PARAMETER_TYPES = ['integer', 'string']

/** Throws an error that names every such place. */
export function checkContract(openapi: Yaml): void {
  const problems = toSentences(findViolations(contractShape, openapi))
  const report: Report = (at, problem) => problems.push(`${at}: ${problem}`)
  // The rules below rely on the shape.
  if (problems.length === 0) {
    walk(openapi, '', (node, at) => checkSchemaNode(openapi, node, at, report))
    if (problems.length === 0) checkRules(openapi, report)
  }
  if (problems.length > 0) throw new Error(`spec/openapi.yaml says what the mock does not do\n  ${problems.join('\n  ')}`)
}

function checkRules(openapi: Yaml, report: Report): void {
  checkSecurity(openapi, report)
  checkErrorSchema(openapi, report)
  const ids = new Set<string>()
  for (const [path, item] of Object.entries(openapi.paths as Record<string, Record<string, Yaml>>)) {
    for (const [method, operation] of Object.entries(item)) {
      const at = `paths.${path}.${method}`
      const { operationId } = operation as { operationId: string }
      if (ids.has(operationId)) report(`${at}.operationId`, `${operationId} is the id of another operation`)
      ids.add(operationId)
      checkParameters(openapi, path, operation, at, report)
      checkBody(openapi, operation, at, report)
      checkResponses(openapi, operation, at, report)
      if (operation['x-sunset'] !== undefined && operation.deprecated !== true)
        report(`${at}.x-sunset`, 'expected deprecated: true beside it')
    }
  }
}

/** Every operation takes a bearer token: one scheme, required once for the whole interface. */
function checkSecurity(openapi: Yaml, report: Report): void {
  const names = Object.keys((openapi.components as Yaml).securitySchemes as Yaml)
  const expected = [{ [names[0] as string]: [] }]
  if (names.length !== 1) report('components.securitySchemes', 'expected exactly one scheme')
  else if (JSON.stringify(openapi.security) !== JSON.stringify(expected)) report('security', `expected ${JSON.stringify(expected)}`)
}

function checkErrorSchema(openapi: Yaml, report: Report): void {
  const { properties = {} } = dereference<Yaml>(openapi, { $ref: ERROR }) as { properties?: Yaml }
  if (Object.keys(properties).sort().join() !== ERROR_FIELDS.join()) {
    report('components.schemas.Error.properties', `expected exactly ${ERROR_FIELDS.join(', ')}`)
  }
}

function checkParameters(openapi: Yaml, path: string, operation: Yaml, at: string, report: Report): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const all = ((operation.parameters as Parameter[] | undefined) ?? []).map((one) => dereference(openapi, one))
  for (const name of inPath) if (!all.some((one) => one.in === 'path' && one.name === name)) report(at, `no parameter for {${name}}`)
  all.forEach((parameter, index) => {
    const place = `${at}.parameters[${index}]`
    const isInPath = parameter.in === 'path'
    if (isInPath && !inPath.includes(parameter.name)) report(place, `no {${parameter.name}} in the path`)
    if (!isInPath && parameter.required === true) report(`${place}.required`, 'not honoured by the mock; query parameters are optional')
    const { type } = dereference(openapi, parameter.schema)
    if (!PARAMETER_TYPES.includes(String(type))) report(`${place}.schema.type`, `expected ${PARAMETER_TYPES.join(' or ')}`)
  })
}

/** The operation's input is typed by the name of its body. */
function checkBody(openapi: Yaml, { requestBody }: Yaml, at: string, report: Report): void {
  if (requestBody === undefined) return
  if (findSchema(dereference(openapi, requestBody as Yaml))?.$ref === undefined) {
    report(`${at}.requestBody`, 'expected a schema of components.schemas, by $ref')
  }
}

function checkResponses(openapi: Yaml, operation: Yaml, at: string, report: Report): void {
  const responses = Object.entries(operation.responses as Record<string, Yaml>)
  for (const [status, response] of responses) {
    const place = `${at}.responses.${status}`
    if (!/^[2-5]\d\d$/.test(status)) report(place, 'expected a status code')
    else if (Number(status) >= 400 && findSchema(dereference(openapi, response))?.$ref !== ERROR)
      report(place, `expected a body of ${ERROR}`)
  }
  const successes = responses.filter(([status]) => Number(status) < 400)
  if (successes.length !== 1) report(`${at}.responses`, 'expected exactly one status below 400')
}

function findSchema({ content }: Yaml): Yaml | undefined {
  return (content as Record<string, { schema: Yaml }> | undefined)?.['application/json']?.schema
}

/** What holds for any part of the document: `$ref`, `allOf`, and the keywords of a schema. */
function checkSchemaNode(openapi: Yaml, node: Yaml, at: string, report: Report): void {
  if (typeof node.$ref === 'string') {
    checkOthers(node, ['$ref'], at, report)
    checkTarget(openapi, node, at, report)
  }
  if (Array.isArray(node.allOf)) {
    checkOthers(node, ['allOf'], at, report)
    checkParts(openapi, node.allOf as Yaml[], at, report)
  }
  if (typeof node.format === 'string' && FORMATS[node.format] !== node.type)
    report(`${at}.format`, `expected type: ${FORMATS[node.format]}`)
  if (typeof node.pattern === 'string' && !isPattern(node.pattern)) report(`${at}.pattern`, 'expected a regular expression')
  if (node.default !== undefined && !/\.parameters(\[\d+\]|\.\w+)\.schema$/.test(at)) {
    report(`${at}.default`, 'not honoured by the mock; only parameters have defaults')
  }
}

/** Beside `$ref` and `allOf` there may be prose; anything else would be lost. */
function checkOthers(node: Yaml, expected: readonly string[], at: string, report: Report): void {
  const others = Object.keys(node).filter((name) => !expected.includes(name) && !PROSE.includes(name))
  for (const name of others) report(`${at}.${name}`, `not honoured by the mock beside ${expected.join()}`)
}

function checkTarget(openapi: Yaml, node: Yaml, at: string, report: Report): void {
  try {
    dereference(openapi, node)
  } catch (error) {
    report(at, (error as Error).message)
  }
}

/** The parts of an `allOf` are merged, which only objects without a common field allow. */
function checkParts(openapi: Yaml, parts: readonly Yaml[], at: string, report: Report): void {
  const seen = new Set<string>()
  parts.forEach((part, index) => {
    const place = `${at}.allOf[${index}]`
    const target = dereference(openapi, part)
    const others = Object.keys(target).filter((name) => !['type', 'required', 'properties', ...PROSE].includes(name))
    if (target.type !== 'object' || others.length > 0) report(place, 'expected an object with required and properties alone')
    for (const name of Object.keys((target.properties as Yaml | undefined) ?? {})) {
      if (seen.has(name)) report(`${place}.properties.${name}`, 'expected each field in one part alone')
      seen.add(name)
    }
  })
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'))
  } catch {
    return false
  }
}

/** Visits every part of the document but examples, which are values, and maps of fields, whose keys are names. */
function walk(value: unknown, at: string, visit: (node: Yaml, at: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${at}[${index}]`, visit)
    return
  }
  const isFields = at.endsWith('.properties')
  if (!isFields) visit(value as Yaml, at)
  for (const [name, part] of Object.entries(value)) {
    if (isFields || !['example', 'examples', 'default'].includes(name)) walk(part, at === '' ? name : `${at}.${name}`, visit)
  }
}
