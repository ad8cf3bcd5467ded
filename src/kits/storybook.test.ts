import { expect, it, vi } from 'vitest'
import { storeLoader } from './storybook.ts'

it('a story has its own key, and an app that sends another is told so once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const original = globalThis.fetch
  const load = storeLoader({ baseUrl: 'https://api.example.com/v1', intercept: 'fetch' })
  const { store } = await load({ id: 'animals--sold-out', parameters: { store: { scenario: 'sold-out' } } })
  const list = async (key: string) => {
    const response = await fetch('https://api.example.com/v1/pets?limit=1', { headers: { authorization: `Bearer ${key}` } })
    return response.json()
  }
  expect(await list(store.apiKey)).toMatchObject([{ status: 'sold' }])
  expect(warn).not.toHaveBeenCalled()
  expect(await list('another')).toMatchObject([{ status: 'sold' }])
  await list('another')
  expect(warn).toHaveBeenCalledOnce()
  await load({ id: 'animals--few', parameters: { store: { scenario: { generate: { count: 2 } } } } })
  await expect(load({ id: 'animals--wrong', parameters: { store: { scenario: 'sold-outt' } } })).rejects.toThrow('sold-out')
  globalThis.fetch = original
  warn.mockRestore()
})
