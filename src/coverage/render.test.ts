import { expect, it } from 'vitest'
import { renderMarkdown, renderText } from './render.ts'
import type { Report, Verdict } from './report.ts'

const report: Report = {
  contract: 'Animal Store 1.0.0',
  requests: 12,
  tried: 3,
  total: 5,
  percent: 60,
  operations: [
    {
      id: 'listPets',
      isDeprecated: false,
      tried: 2,
      total: 4,
      note: '',
      rows: [
        { name: 'called', tried: 1, total: 1, missing: [] },
        { name: 'responses', tried: 1, total: 3, missing: ['400', '401'] },
      ],
    },
    {
      id: 'createPet',
      isDeprecated: false,
      tried: 0,
      total: 1,
      note: 'never called',
      rows: [{ name: 'called', tried: 0, total: 1, missing: [] }],
    },
  ],
  seen: { Faults: { 'listPets 503': 2, 'createPet drop': 1 }, 'Undocumented responses': {}, 'Near misses': { 'Unknown path': 2 } },
  questions: [
    {
      id: 'list-order',
      question: 'In what order are animals listed?',
      count: 4,
      choices: { 'oldest-first': 4, 'newest-first': 0 },
      operations: ['listPets', 'createPet'],
    },
  ],
}
const verdicts: readonly Verdict[] = [{ requirement: '--min 50' }, { requirement: '--require createPet', problem: 'was never tried' }]
const nothing: Report = { ...report, requests: 1, operations: [], seen: {}, questions: [] }

it('is text: a table, what else was seen, the requirements and the questions', () => {
  expect(renderText(report, verdicts, 2)).toMatchInlineSnapshot(`
    "Coverage of Animal Store 1.0.0: 3 of 5 cells (60%), 12 requests, from 2 files

                 tried  not tried
    listPets     2/4
      called     1/1
      responses  1/3    400, 401
    createPet    0/1    never called
      called     0/1

    Faults: listPets 503 ×2, createPet drop ×1
    Near misses: Unknown path ×2

    ✓ --min 50
    ✗ --require createPet: was never tried

    Ask the owner of the API
      In what order are animals listed?
        list-order: 4 responses (listPets, createPet)
        [oldest-first] · newest-first
    "
  `)
})

it('is Markdown', () => {
  expect(renderMarkdown(report, verdicts)).toMatchInlineSnapshot(`
    "## Coverage of Animal Store 1.0.0

    **3 of 5 cells (60%)**, 12 requests

    |  | tried | not tried |
    | --- | --: | --- |
    | **listPets** | 2/4 |  |
    | called | 1/1 |  |
    | responses | 1/3 | \`400\` \`401\` |
    | **createPet** | 0/1 | *never called* |
    | called | 0/1 |  |

    - **Faults:** listPets 503 ×2, createPet drop ×1
    - **Near misses:** Unknown path ×2

    - ✓ \`--min 50\`
    - ✗ \`--require createPet\`: was never tried

    ### Ask the owner of the API

    | question | choices (in use: bold) | used by |
    | --- | --- | --- |
    | In what order are animals listed? | **oldest-first** · newest-first | list-order: 4 responses (listPets, createPet) |
    "
  `)
})

it('says when no question is open', () => {
  expect(renderText(nothing, [])).toMatchInlineSnapshot(`
    "Coverage of Animal Store 1.0.0: 3 of 5 cells (60%), 1 request

      tried  not tried

    Ask the owner of the API
      Nothing: no response depended on what the spec leaves open.
    "
  `)
  expect(renderMarkdown(nothing, [])).toMatchInlineSnapshot(`
    "## Coverage of Animal Store 1.0.0

    **3 of 5 cells (60%)**, 1 request

    |  | tried | not tried |
    | --- | --: | --- |

    ### Ask the owner of the API

    Nothing: no response depended on what the spec leaves open.
    "
  `)
})
