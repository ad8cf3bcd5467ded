// Runs in the console's page: opens every view and does what people do there most, by the labels that they see.
export default async () => {
  const done = []
  const TIMEOUT_MS = 20_000

  async function until(what, find) {
    for (const start = performance.now(); performance.now() - start < TIMEOUT_MS; ) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(
      `after ${done.at(-1) ?? 'the start'}: no ${what} in ${location.hash}: ${document.querySelector('main')?.innerText.slice(0, 600)}`,
    )
  }
  const isVisible = (element) => element.checkVisibility?.() ?? element.getClientRects().length > 0
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(isVisible)
  const nameOf = (element) => (element.getAttribute('aria-label') ?? element.innerText).replace(/\s+/g, ' ').trim()
  const click = async (name, root) =>
    (await until(`button ${name}`, () => all('button', root).find((one) => nameOf(one) === name && !one.disabled))).click()
  const textOf = (selector) => all(selector).map(({ innerText }) => innerText.replace(/\s+/g, ' '))
  const shows = (selector, text) => until(`"${text}" in ${selector}`, () => textOf(selector).some((one) => one.includes(text)))
  async function fill(label, value, root) {
    const field = await until(`field ${label}`, () =>
      all('label', root)
        .filter((one) => nameOf(one).startsWith(label))
        .map((one) => one.control)
        .find(Boolean),
    )
    field.focus()
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  async function go(view, heading) {
    ;(await until(`link to ${heading}`, () => all('nav a').find((one) => one.innerText.includes(heading)))).click()
    await until(`heading ${heading}`, () => all('main h1').some((one) => one.innerText.trim() === heading))
    if (!location.hash.startsWith(`#/${view}`)) throw new Error(`${heading} is at ${location.hash}`)
  }
  const request = (path, init) => fetch(path, { ...init, headers: { authorization: 'Bearer any-key', ...init?.headers } })

  const VIEWS = {
    animals: 'Animals',
    traffic: 'Traffic',
    scenarios: 'Scenarios',
    faults: 'Faults and clock',
    assumptions: 'Assumptions',
    interface: 'API',
  }
  for (const [view, heading] of Object.entries(VIEWS)) {
    await go(view, heading)
    await until(`content of ${heading}`, () => all('main section:not([hidden]) *').length > 10)
    done.push(`view ${view}`)
  }

  await go('animals', 'Animals')
  await click('Add an animal')
  await fill('name', 'Zebedee')
  await fill('categoryId', '9223372036854775807')
  await click('Add')
  await shows('.animals tbody tr', 'Zebedee')
  await until('closed form', () => all('form[aria-label="New animal"], dialog form').length === 0)
  done.push('add an animal')

  const search = await until('search', () => all('input[type=search]')[0])
  search.value = 'Zebedee'
  search.dispatchEvent(new Event('input', { bubbles: true }))
  await until('only Zebedee', () => textOf('.animals tbody tr').length === 1)
  done.push('search for an animal')

  ;(await until('row', () => all('.animals tbody .open')[0])).click()
  await click('Sell')
  await shows('.animals tbody tr', 'sold')
  done.push('sell an animal')

  await go('traffic', 'Traffic')
  await request('/v1/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":5}' })
  await shows('.traffic tbody tr', '400')
  done.push('see a request live')

  ;(await until('row', () => all('.traffic tbody .open')[0])).click()
  await click('Send again')
  await until('a second request', () => textOf('.traffic tbody tr').length === 2)
  done.push('send a request again')

  await click('Fail createPet')
  await shows('body', 'createPet now responds 503')
  done.push('fail an operation')

  await go('faults', 'Faults and clock')
  await click('Remove fault 1')
  await until('no faults', () => all('.faults li').length === 0)
  done.push('remove a fault')

  await click('Jump past it')
  await shows('.time', '2030-12-06 00:00:00 UTC')
  done.push('turn the clock')

  await go('assumptions', 'Assumptions')
  const clamp = await until('choice', () => all('#assumptions-invalid-query label').find((one) => nameOf(one).startsWith('clamp')))
  clamp.control.click()
  await shows('#assumptions-invalid-query', 'changed')
  done.push('choose an assumption')

  await go('scenarios', 'Scenarios')
  await click('Load sold-out')
  await shows('body', 'Loaded sold-out')
  done.push('load a scenario')

  await click('Reset to sold-out')
  await shows('body', 'Reset to sold-out')
  done.push('reset')
  return JSON.stringify(done)
}
