import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { scenarios } from '../../src/scenarios.ts'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, readClipboard, useBrowser } from './open-console.ts'

useBrowser()

describe('the interface', () => {
  it('shows the operations of the contract, their parameters and examples', async () => {
    const { page } = await openConsole({ view: 'interface' })
    const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'))
    for (const [path, item] of Object.entries<Record<string, { operationId: string; summary: string }>>(document.paths)) {
      for (const [method, { operationId, summary }] of Object.entries(item)) {
        const article = page.getByRole('article', { name: summary })
        await expectPage(article).toContainText(`${method.toUpperCase()} /v1${path}`)
        await expectPage(article).toContainText(operationId)
      }
    }
    const list = page.getByRole('article', { name: 'List animals' })
    await expectPage(list.locator('.parameters')).toContainText('limit query, integer, 1–100')
    await expectPage(list.locator('.parameters')).toContainText('default 20')
    await list.getByText('200').click()
    await expectPage(list.getByLabel('Example of 200')).toContainText('Misty the Siamese')
    await expectPage(page.getByRole('article', { name: 'Read one animal' })).toContainText('deprecated, removed on 5 Dec 2030')
    await expectPage(page.getByRole('article', { name: 'Add an animal' }).locator('.parameters')).toContainText(
      'categoryId body, int64, required',
    )
  })

  it('sends a request and shows the answer, exact at int64', async () => {
    const { page, mock } = await openConsole({ view: 'interface', scenario: scenarios['big-ids'] })
    const form = page.getByRole('form', { name: 'Try createPet' })
    await form.getByLabel('Body').fill('{"name":"Typed","categoryId":9007199254740993}')
    await form.getByRole('button', { name: 'Send' }).click()
    await expectPage(form.locator('.answer')).toContainText('201')
    await expectPage(form.getByLabel('Response body')).toContainText('"categoryId": 9007199254740993')
    await expectPage(form.locator('.answer')).toContainText('content-length')
    const last = mock.control.state().pets?.at(-1)
    expect(last).toMatchObject({ name: 'Typed', categoryId: 9007199254740993n })
    // The newest animal is what the other form suggests.
    const read = page.getByRole('form', { name: 'Try getPet' })
    await expectPage(read.getByLabel('petId')).toHaveValue(String(last?.id))
    await read.getByRole('button', { name: 'Send' }).click()
    await expectPage(read.getByLabel('Response body')).toContainText('"name": "Typed"')
  })

  it('sends what is wrong as well, and what comes back is an answer', async () => {
    const { page } = await openConsole({ view: 'interface', pets: animals })
    const form = page.getByRole('form', { name: 'Try listPets' })
    await form.getByLabel('limit').fill('500 & more')
    await form.getByLabel('status').fill('sold')
    await form.getByRole('button', { name: 'Send' }).click()
    await expectPage(form.getByLabel('Response body')).toContainText('limit: expected an integer from 1 to 100')
    await form.getByRole('button', { name: 'Copy as curl' }).click()
    expect(await readClipboard(page)).toMatch(
      /^curl -i 'http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=500%20%26%20more&status=sold' -H 'Authorization: Bearer any-key'$/,
    )
    await form.getByLabel('limit').fill('')
    await form.getByLabel('Prefer').fill('drop')
    await form.getByRole('button', { name: 'Send' }).click()
    await expectPage(form.locator('.answer')).toContainText('No response')
    await page.getByLabel('API key').fill('')
    await form.getByLabel('Prefer').fill('')
    await form.getByRole('button', { name: 'Send' }).click()
    await expectPage(form.getByLabel('Response body')).toContainText('Unauthorized')
  })

  it('cuts no example in a field', async () => {
    const { page } = await openConsole({ view: 'interface', context: { viewport: { width: 1280, height: 800 } } })
    const cut = await page.locator('.try input').evaluateAll((inputs) =>
      (inputs as HTMLInputElement[])
        .filter((input) => {
          const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
          const { font, paddingLeft, paddingRight } = getComputedStyle(input)
          context.font = font
          const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
          return context.measureText(input.placeholder).width > room
        })
        .map(({ placeholder }) => placeholder),
    )
    expect(cut).toEqual([])
  })

  it('says that an operation is gone, once its removal is past', async () => {
    const { page, mock } = await openConsole({ view: 'interface', pets: animals })
    const article = page.getByRole('article', { name: 'Read one animal' })
    await expectPage(article).toContainText('deprecated')
    await expectPage(article).not.toContainText('Gone:')
    mock.control.clock.set('2030-12-06T00:00:00Z')
    await expectPage(article).toContainText("Gone: it was removed on 5 Dec 2030, and by the mock's clock that is over. Requests get 404.")
  })

  it('says so where no key is valid', async () => {
    const { page } = await openConsole({ view: 'interface', scenario: scenarios['locked-out'] })
    await expectPage(page.getByText('No key is valid in this scenario: every request gets 401.')).toBeVisible()
  })

  it('takes a key that the world lists', async () => {
    const { page } = await openConsole({ view: 'interface', pets: animals, apiKeys: ['qa-key'] })
    await expectPage(page.getByLabel('API key')).toHaveValue('qa-key')
    await page.getByRole('form', { name: 'Try listPets' }).getByRole('button', { name: 'Send' }).click()
    await expectPage(page.getByLabel('Response body')).toContainText('Rex')
  })

  it('keeps what was typed while another view is looked at', async () => {
    const { page, go } = await openConsole({ view: 'interface', pets: animals })
    await page.getByRole('form', { name: 'Try createPet' }).getByLabel('Body').fill('half-typed')
    await go('Traffic')
    await go('API')
    await expectPage(page.getByRole('form', { name: 'Try createPet' }).getByLabel('Body')).toHaveValue('half-typed')
  })

  it('is where a new animal can come from too', async () => {
    const { page } = await openConsole({ pets: animals })
    await page.getByRole('button', { name: 'Add an animal' }).click()
    await page.getByRole('link', { name: 'try createPet' }).click()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('API')
    await expectPage(page.getByRole('article', { name: 'Add an animal' })).toBeInViewport()
  })
})
