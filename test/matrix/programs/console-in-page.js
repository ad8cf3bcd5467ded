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
    await until(`heading ${heading}`, () => [...document.querySelectorAll('main h1')].some((one) => one.textContent.trim() === heading))
    if (!location.hash.startsWith(`#/${view}`)) throw new Error(`${heading} is at ${location.hash}`)
  }
  const request = (path, init) => fetch(path, { ...init, headers: { authorization: 'Bearer any-key', ...init?.headers } })

  const VIEWS = {
    requests: 'Requests',
    animals: 'Animals',
    scenarios: 'Scenarios',
    faults: 'Faults and clock',
    assumptions: 'Assumptions',
  }
  for (const [view, heading] of Object.entries(VIEWS)) {
    await go(view, heading)
    await until(`content of ${heading}`, () => all('main *').length > 10)
    done.push(`view ${view}`)
  }

  await go('animals', 'Animals')
  ;(await until('link', () => all('a.button').find((one) => nameOf(one) === 'Add animal'))).click()
  await fill('name', 'Zebedee')
  await fill('categoryId', '9223372036854775807')
  await click('Add')
  await shows('a.row', 'Zebedee')
  done.push('add an animal')

  const search = await until('search', () => all('input[type=search]')[0])
  search.value = 'Zebedee'
  search.dispatchEvent(new Event('input', { bubbles: true }))
  await until('only Zebedee', () => textOf('a.row').length === 1)
  done.push('search for an animal')

  await click('Sell')
  await shows('a.row', 'sold')
  done.push('sell an animal')

  await go('requests', 'Requests')
  await click('Send it now')
  await shows('a.row', '200')
  done.push('send the first request')

  await request('/v1/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":5}' })
  await shows('a.row', '400')
  done.push('see a request live')

  ;(await until('row', () => all('a.row')[0])).click()
  await shows('.marked', '"name": 5')
  await click('Send again')
  await until('another request', () => all('button').some((one) => nameOf(one) === '1 new'))
  done.push('send a request again')

  await click('Fail twice')
  await shows('.condition', 'createPet → 503, 2 left')
  done.push('fail an operation')

  await click('Remove fault 1')
  await until('no faults', () => all('.condition').length === 0)
  done.push('remove a fault')

  await click('Undo')
  await shows('.condition', 'createPet → 503, 2 left')
  await click('Remove fault 1')
  await click('Close')
  done.push('undo')

  await go('faults', 'Faults and clock')
  await click('Jump past it')
  await shows('.time', '2030-12-06 00:00:00 UTC')
  done.push('set the clock')

  await go('assumptions', 'Assumptions')
  ;(await until('unused assumptions', () => all('.unused summary')[0])).click()
  const clamp = await until('choice', () => all('#assumption-invalid-query label').find((one) => nameOf(one).startsWith('clamp')))
  clamp.control.click()
  await shows('#assumption-invalid-query', 'changed')
  done.push('choose an assumption')

  await go('scenarios', 'Scenarios')
  await click('Load sold-out')
  await shows('.message', 'Loaded sold-out')
  done.push('load a scenario')
  return JSON.stringify(done)
}
