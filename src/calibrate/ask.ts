// Asks the real service: two probes a second, redirects not followed, nothing more after 429 or
// 503.
import { contract, type Pet } from '../contract/generated/contract.ts'
import { wait } from '../mock/carry-out.ts'
import { describeAnswer, type Exchange, type RawExchange } from './exchange.ts'
import { petsOf } from './normal-form.ts'
import { createProbes, fillProbe, needsAnimal, type Tier } from './probe.ts'
import { type Sending, sendProbe } from './send-probe.ts'

const { basePath, operations } = contract
const PAUSE_MS = 500
const HINTS: Record<number, string> = {
  401: '; is the key right?',
  404: `; does the address end in ${basePath}?`,
}

interface Asking extends Omit<Sending, 'row'> {
  readonly tier: Tier
  clean(raw: RawExchange): Exchange
  onProgress(done: number, total: number): void
}

export async function ask(asking: Asking): Promise<Exchange[]> {
  const { tier, clean, onProgress, ...sending } = asking
  const date = new Date().toISOString().slice(0, 10)
  const probes = createProbes(tier)
  const exchanges: Exchange[] = []
  let pet: Pet | undefined
  for (const [index, template] of probes.entries()) {
    const last = exchanges.at(-1)
    if (needsAnimal(template) && !pet) continue
    if (template.ifRefused && !isRefusal(last)) continue
    if (last) await wait(PAUSE_MS, undefined)
    const probe = fillProbe(template, pet, date)
    const row = exchanges.length + 1
    let exchange = clean(await sendProbe(probe, { ...sending, row }))
    onProgress(index + 1, probes.length)
    if (!last) {
      exchange = requireList(exchange)
      pet = petsOf(exchange).at(-1)
    }
    exchanges.push(exchange)
    const { status, problem } = exchange.answer
    const isBusy = status === 429 || status === 503
    if (isBusy || (!last && problem !== undefined)) break
  }
  return exchanges
}

/** Without the list nothing else can be judged, and a refused key is not tried again. */
function requireList(exchange: Exchange): Exchange {
  const { answer } = exchange
  const isList = answer.status === operations.listPets.success && answer.json !== undefined
  if (answer.problem !== undefined || isList) return exchange
  const hint = HINTS[answer.status] ?? ''
  return { ...exchange, answer: { ...answer, problem: describeAnswer(answer) + hint } }
}

function isRefusal(exchange: Exchange | undefined): boolean {
  if (!exchange) return false
  return exchange.answer.status >= 400 && exchange.answer.problem === undefined
}
