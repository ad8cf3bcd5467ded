// A console with something to see in every view, and the sizes at which it is looked at.
import { expectPage, type Opened, type OpenOptions, openConsole } from './open-console.ts'

export const VIEWS = ['Animals', 'Traffic', 'Scenarios', 'Faults and clock', 'Assumptions', 'API']
export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 360, height: 740 }

/** A world with something to see in every view. */
export async function openLively(context: OpenOptions['context'], view = 'animals'): Promise<Opened> {
  const faults = [{ operation: 'createPet', status: 503, times: 1, retryAfter: 1 }] as const
  const opened = await openConsole({ view, faults, assume: { 'removed-answer': 'gone' }, ...(context ? { context } : {}) })
  await opened.create('{"name":"Lost","categoryId":1}')
  await opened.create('{"name":"Bella","categoryId":9007199254740993,"status":"sold"}')
  await opened.ask('/pets?limit=500')
  await opened.ask('/pets/7')
  await opened.ask('/pets', { headers: { prefer: 'drop' } })
  await expectPage(opened.page.getByRole('link', { name: 'Traffic 5' })).toBeVisible()
  return opened
}
