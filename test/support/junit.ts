// JUnit XML as the readers of CI services take it: the elements, their order, and their attributes, after the schema that Jenkins
// publishes. Throws at the first thing that is not in it.

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

interface Rule {
  readonly required: Readonly<Record<string, RegExp>>
  readonly optional?: Readonly<Record<string, RegExp>>
  readonly children: readonly string[]
  readonly hasText?: boolean
}

export interface Suite {
  readonly name: string
  readonly tests: number
  readonly failures: number
  readonly skipped: number
}

const ANY = /^[\s\S]*$/
const NUMBER = /^\d+$/
const TIME = /^\d+(\.\d+)?$/

const SCHEMA: Readonly<Record<string, Rule>> = {
  testsuites: {
    required: {},
    optional: { name: ANY, tests: NUMBER, failures: NUMBER, errors: NUMBER, disabled: NUMBER, time: TIME },
    children: ['testsuite'],
  },
  testsuite: {
    required: { name: ANY, tests: NUMBER },
    optional: {
      failures: NUMBER,
      errors: NUMBER,
      skipped: NUMBER,
      disabled: NUMBER,
      time: TIME,
      timestamp: ANY,
      hostname: ANY,
      id: ANY,
      package: ANY,
    },
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: { name: ANY, classname: ANY },
    optional: { time: TIME, status: ANY, assertions: NUMBER },
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: {}, optional: { message: ANY, type: ANY }, children: [], hasText: true },
  skipped: { required: {}, optional: { message: ANY }, children: [], hasText: true },
  'system-out': { required: {}, children: [], hasText: true },
}

const TOKEN = /<\?xml[^?]*\?>|<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy

/** The suites of a document that is right, with counts that agree with what is in them. */
export function checkJUnit(xml: string): Suite[] {
  const root = parse(xml)
  if (root.name !== 'testsuites') throw new Error(`expected testsuites, got ${root.name}`)
  check(root)
  const cases = root.children.flatMap(({ children }) => children)
  expectCount(root, 'tests', cases.filter(({ name }) => name === 'testcase').length)
  return root.children.map((suite) => {
    const inside = suite.children.filter(({ name }) => name === 'testcase')
    const having = (name: string) => inside.filter(({ children }) => children.some((child) => child.name === name)).length
    expectCount(suite, 'tests', inside.length)
    expectCount(suite, 'failures', having('failure'))
    expectCount(suite, 'skipped', having('skipped'))
    return { name: suite.attributes.name ?? '', tests: inside.length, failures: having('failure'), skipped: having('skipped') }
  })
}

function expectCount({ name, attributes }: Element, attribute: string, count: number): void {
  if (attributes[attribute] !== String(count)) throw new Error(`${name} ${attribute}: expected ${count}, got ${attributes[attribute]}`)
}

function check({ name, attributes, children, text }: Element): void {
  const rule = SCHEMA[name]
  if (!rule) throw new Error(`unknown element ${name}`)
  const { required, optional = {}, children: allowed, hasText } = rule
  const missing = Object.keys(required).find((attribute) => attributes[attribute] === undefined)
  if (missing !== undefined) throw new Error(`${name} lacks ${missing}`)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!(required[attribute] ?? optional[attribute])?.test(value)) throw new Error(`${name} ${attribute}="${value}"`)
  }
  const places = children.map((child) => allowed.indexOf(child.name))
  if (places.some((place, index) => place < 0 || place < (places[index - 1] ?? 0))) throw new Error(`children of ${name}`)
  if (!hasText && text.trim() !== '') throw new Error(`${name} has the text ${text.trim()}`)
  for (const child of children) check(child)
}

function parse(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(xml)
    if (!match) throw new Error(`not well-formed at ${xml.slice(at, at + 40)}`)
    const [, close, name, attributes = '', empty, text] = match
    const parent = open.at(-1) as Element
    if (text !== undefined) parent.text += checkText(text)
    else if (close === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`)
    } else if (name !== undefined) {
      const element = { name, attributes: toAttributes(attributes), children: [], text: '' }
      parent.children.push(element)
      if (empty !== '/') open.push(element)
    }
  }
  if (open.length !== 1 || top.children.length !== 1) throw new Error('expected one element that is closed')
  return top.children[0] as Element
}

function toAttributes(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, checkText(value)]))
}

/** XML 1.0 allows neither a bare ampersand nor control characters. */
function checkText(text: string): string {
  if (/&(?!#\d+;|amp;|lt;|gt;|quot;|apos;)/.test(text)) throw new Error(`bare & in ${text}`)
  if (/[^\P{Cc}\n\r\t]/u.test(text)) throw new Error('control character')
  return text
}
