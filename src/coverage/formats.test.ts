import { expect, it } from 'vitest'
import type { Report } from './report.ts'
import type { Verdict } from './rules.ts'
import { toHtml } from './to-html.ts'
import { toJUnit } from './to-junit.ts'
import { toMarkdown } from './to-markdown.ts'
import { describeUse, toText } from './to-text.ts'

const cell = (id: string, name: string, count: number) => ({ id, name, count })
const report: Report = {
  contract: 'Animal Store 1.0.0 <a|b>',
  requests: 12,
  tried: 3,
  total: 5,
  percent: 60,
  operations: [
    {
      id: 'listPets',
      isDeprecated: false,
      calls: 3,
      tried: 2,
      total: 4,
      rows: [
        { name: 'called', cells: [cell('listPets', 'called', 3)] },
        { name: 'responses', cells: [cell('listPets.200', '200', 3), cell('listPets.400', '400', 0), cell('listPets.401', '401', 0)] },
      ],
    },
    {
      id: 'createPet',
      isDeprecated: false,
      calls: 0,
      tried: 0,
      total: 1,
      rows: [{ name: 'called', cells: [cell('createPet', 'called', 0)] }],
    },
    { id: 'getPet', isDeprecated: true, calls: 1, tried: 1, total: 1, rows: [{ name: 'called', cells: [cell('getPet', 'called', 1)] }] },
  ],
  faults: [
    { name: 'listPets 503', count: 2, retried: 1 },
    { name: 'listPets delay', count: 1, retried: 0 },
    { name: 'createPet drop', count: 1, retried: 0 },
  ],
  deprecated: [{ name: 'getPet', count: 1 }],
  undocumented: [],
  nearMisses: [
    { name: 'Unknown path', count: 2 },
    { name: 'Method not allowed', count: 1 },
  ],
  questions: [
    {
      id: 'list-order',
      question: 'In what order are "animals" listed?',
      silence: 'The spec does not say.',
      count: 4,
      choices: [
        { name: 'oldest-first', count: 4, meaning: 'the one added first', isDefault: true },
        { name: 'newest-first', count: 0, meaning: 'newest-first', isDefault: false },
      ],
      operations: [
        { name: 'listPets', count: 3 },
        { name: 'createPet', count: 1 },
      ],
      tests: ['a', 'b', 'c', 'd', 'e', 'f *g*', 'h'],
    },
    {
      id: 'paging',
      question: 'Are pages counted from one?',
      silence: 'Nothing.',
      count: 1,
      choices: [{ name: 'from-one', count: 1, meaning: 'the first page is 1', isDefault: true }],
      operations: [{ name: 'listPets', count: 1 }],
      tests: ['only <this>'],
    },
  ],
}
const verdicts: readonly Verdict[] = [{ rule: '--min 50' }, { rule: '--require createPet', problem: 'was never called & "that" counts' }]
const nothing: Report = {
  contract: 'Animal Store 1.0.0',
  requests: 1,
  tried: 0,
  total: 0,
  percent: 100,
  operations: [],
  faults: [],
  deprecated: [],
  undocumented: [],
  nearMisses: [],
  questions: [],
}

it('writes the report for a terminal as a table, what was seen beside it, the requirements and the questions', () => {
  expect(toText(report, verdicts)).toMatchInlineSnapshot(`
    "Coverage of Animal Store 1.0.0 <a|b>: 3 of 5 cells (60%), 12 requests

                 tried  not tried
    listPets     2/4
      called     1/1
      responses  1/3    400, 401
    createPet    0/1    never called
      called     0/1
    getPet       1/1    deprecated, not in the percentage
      called     1/1

    Faults: listPets 503 ×2 (retried once), listPets delay ×1 (waited for), createPet drop ×1 (never retried)
    Deprecated calls: getPet ×1
    Near misses: Unknown path ×2, Method not allowed ×1

    ✓ --min 50
    ✗ --require createPet: was never called & "that" counts

    Ask the owner of the API
      In what order are "animals" listed?
        list-order: 4 responses (listPets, createPet), in a; b; c; d; e; and 2 more
        [oldest-first] · newest-first
      Are pages counted from one?
        paging: 1 response (listPets), in only <this>
        [from-one]
    "
  `)
})

it('writes the report as Markdown in which no name becomes markup', () => {
  expect(toMarkdown(report, verdicts)).toMatchInlineSnapshot(`
    "## Coverage of Animal Store 1.0.0 &#60;a&#124;b&#62;

    **3 of 5 cells (60%)**, 12 requests

    |  | tried | not tried |
    |---|--:|---|
    | **listPets** | 2/4 |  |
    | called | 1/1 |  |
    | responses | 1/3 | \`400\` \`401\` |
    | **createPet** | 0/1 | *never called* |
    | called | 0/1 |  |
    | **getPet** | 1/1 | *deprecated, not in the percentage* |
    | called | 1/1 |  |

    - **Faults:** listPets 503 ×2 (retried once), listPets delay ×1 (waited for), createPet drop ×1 (never retried)
    - **Deprecated calls:** getPet ×1
    - **Near misses:** Unknown path ×2, Method not allowed ×1

    - ✓ \`--min 50\`
    - ✗ \`--require createPet\`: was never called & "that" counts

    ### Ask the owner of the API

    | question | choices (in use: bold) | used by |
    |---|---|---|
    | In what order are "animals" listed? | **oldest-first** · newest-first | list-order: 4 responses (listPets, createPet), in a; b; c; d; e; and 2 more |
    | Are pages counted from one? | **from-one** | paging: 1 response (listPets), in only &#60;this&#62; |
    "
  `)
})

it('writes the report as a page that needs nothing else', () => {
  expect(toHtml(report, verdicts, 'body{}')).toMatchInlineSnapshot(`
    "<!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>Coverage of Animal Store 1.0.0 &#60;a|b&#62;: 3 of 5 cells (60%), 12 requests</title>
    <style>body{}</style>
    <body class="page">
    <main>
    <header class="view-head"><div>
    <h1>Coverage</h1>
    <p class="lead">Animal Store 1.0.0 &#60;a|b&#62;: 3 of 5 cells (60%), 12 requests</p>
    </div></header>
    <div class="stack">
    <section class="card"><h2>Requirements</h2><ul class="rules"><li><span class="chip good"><span aria-hidden="true">✓ </span><span class="hidden">kept</span></span> <code>--min 50</code></li>
    <li><span class="chip bad"><span aria-hidden="true">✗ </span><span class="hidden">broken</span></span> <code>--require createPet</code> was never called &#38; &#34;that&#34; counts</li>
    </ul></section>
    <section class="card">
    <div class="card-head"><h2><code>listPets</code></h2><span class="numbers">2 of 4</span></div>
    <progress max="4" value="2" aria-label="Cells of listPets that were tried"></progress>
    <dl class="cells"><div><dt>called <span class="numbers">1/1</span></dt><dd><span class="chip good"><span aria-hidden="true">✓ </span>called <span class="numbers">3</span></span></dd></div>
    <div><dt>responses <span class="numbers">1/3</span></dt><dd><span class="chip good"><span aria-hidden="true">✓ </span>200 <span class="numbers">3</span></span> <span class="chip plain"><span aria-hidden="true">– </span>400</span> <span class="chip plain"><span aria-hidden="true">– </span>401</span></dd></div>
    </dl>
    </section>
    <section class="card">
    <div class="card-head"><h2><code>createPet</code></h2><span class="numbers">0 of 1</span></div>
    <progress max="1" value="0" aria-label="Cells of createPet that were tried"></progress>
    <dl class="cells"><div><dt>called <span class="numbers">0/1</span></dt><dd><span class="chip plain"><span aria-hidden="true">– </span>called</span></dd></div>
    </dl>
    </section>
    <section class="card">
    <div class="card-head"><h2><code>getPet</code></h2><span class="numbers">1 of 1</span></div>
    <progress max="1" value="1" aria-label="Cells of getPet that were tried"></progress>
    <p class="muted">Deprecated, so not in the percentage.</p>
    <dl class="cells"><div><dt>called <span class="numbers">1/1</span></dt><dd><span class="chip good"><span aria-hidden="true">✓ </span>called <span class="numbers">1</span></span></dd></div>
    </dl>
    </section>
    <section class="card"><h2>Also seen</h2><dl class="cells"><div><dt>Faults</dt><dd>listPets 503 ×2 (retried once), listPets delay ×1 (waited for), createPet drop ×1 (never retried)</dd></div>
    <div><dt>Deprecated calls</dt><dd>getPet ×1</dd></div>
    <div><dt>Near misses</dt><dd>Unknown path ×2, Method not allowed ×1</dd></div>
    </dl></section>

    <h2 class="section">Ask the owner of the API</h2>
    <section class="card">
    <h2>In what order are &#34;animals&#34; listed?</h2>
    <p class="muted">The spec does not say.</p>
    <p class="facts-line"><code>list-order</code> <span class="numbers">used by 4 responses: listPets ×3, createPet ×1</span></p>
    <dl class="cells"><div><dt><span class="chip good"><span aria-hidden="true">✓ </span>oldest-first <span class="numbers">4</span></span></dt><dd>the one added first</dd></div>
    <div><dt><span class="chip plain"><span aria-hidden="true">– </span>newest-first</span></dt><dd></dd></div>
    </dl>
    <details><summary>7 tests</summary><ul><li>a</li><li>b</li><li>c</li><li>d</li><li>e</li><li>f *g*</li><li>h</li></ul></details>
    </section>
    <section class="card">
    <h2>Are pages counted from one?</h2>
    <p class="muted">Nothing.</p>
    <p class="facts-line"><code>paging</code> <span class="numbers">used by 1 response: listPets ×1</span></p>
    <dl class="cells"><div><dt><span class="chip good"><span aria-hidden="true">✓ </span>from-one <span class="numbers">1</span></span></dt><dd>the first page is 1</dd></div>
    </dl>
    <details><summary>1 test</summary><ul><li>only &#60;this&#62;</li></ul></details>
    </section>

    </div>
    </main>
    </body>
    </html>
    "
  `)
})

it('writes the report as JUnit XML: cells that were not tried are skipped, broken requirements fail', () => {
  expect(toJUnit(report, verdicts)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="coverage" tests="8" failures="1" errors="0" time="0">
      <testsuite name="listPets" tests="4" failures="0" errors="0" skipped="2" time="0">
        <testcase name="listPets" classname="coverage.listPets" time="0"/>
        <testcase name="listPets.200" classname="coverage.listPets" time="0"/>
        <testcase name="listPets.400" classname="coverage.listPets" time="0"><skipped message="not tried"/></testcase>
        <testcase name="listPets.401" classname="coverage.listPets" time="0"><skipped message="not tried"/></testcase>
      </testsuite>
      <testsuite name="createPet" tests="1" failures="0" errors="0" skipped="1" time="0">
        <testcase name="createPet" classname="coverage.createPet" time="0"><skipped message="not tried"/></testcase>
      </testsuite>
      <testsuite name="getPet" tests="1" failures="0" errors="0" skipped="0" time="0">
        <testcase name="getPet" classname="coverage.getPet" time="0"/>
      </testsuite>
      <testsuite name="rules" tests="2" failures="1" errors="0" skipped="0" time="0">
        <testcase name="--min 50" classname="coverage.rules" time="0"/>
        <testcase name="--require createPet" classname="coverage.rules" time="0"><failure message="was never called &#38; &#34;that&#34; counts" type="coverage"/></testcase>
      </testsuite>
      <testsuite name="Ask the owner of the API" tests="0" failures="0" errors="0" skipped="0" time="0">
        <system-out>list-order: In what order are &#34;animals&#34; listed? (used by 4 responses)
    paging: Are pages counted from one? (used by 1 response)</system-out>
      </testsuite>
    </testsuites>
    "
  `)
})

it('says in every format for people that there is nothing to ask, and leaves empty parts out', () => {
  expect(toText(nothing, [])).toMatchInlineSnapshot(`
    "Coverage of Animal Store 1.0.0: 0 of 0 cells (100%), 1 request

      tried  not tried

    Ask the owner of the API
      Nothing: no response depended on what the spec leaves open.
    "
  `)
  expect(toMarkdown(nothing, [])).toMatchInlineSnapshot(`
    "## Coverage of Animal Store 1.0.0

    **0 of 0 cells (100%)**, 1 request

    |  | tried | not tried |
    |---|--:|---|

    ### Ask the owner of the API

    Nothing: no response depended on what the spec leaves open.
    "
  `)
  expect(toHtml(nothing, [], '')).toMatchInlineSnapshot(`
    "<!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>Coverage of Animal Store 1.0.0: 0 of 0 cells (100%), 1 request</title>
    <style></style>
    <body class="page">
    <main>
    <header class="view-head"><div>
    <h1>Coverage</h1>
    <p class="lead">Animal Store 1.0.0: 0 of 0 cells (100%), 1 request</p>
    </div></header>
    <div class="stack">

    <h2 class="section">Ask the owner of the API</h2>
    <p class="muted">Nothing: no response depended on what the spec leaves open.</p>
    </div>
    </main>
    </body>
    </html>
    "
  `)
})

it('says that there are more tests only if there are', () => {
  const use = (tests: readonly string[]) => describeUse({ id: 'list-order', count: 1, operations: [{ name: 'listPets' }], tests } as never)
  expect(use(['a', 'b', 'c', 'd', 'e'])).toBe('list-order: 1 response (listPets), in a; b; c; d; e')
  expect(use(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('list-order: 1 response (listPets), in a; b; c; d; e; and 1 more')
})
