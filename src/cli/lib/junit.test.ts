import { expect, it } from 'vitest'
import { renderJunit } from './junit.ts'

it('a JUnit report has a test case for each result, and escapes what XML cannot have', () => {
  const report = renderJunit('coverage', [
    { name: '--require listPets.200' },
    { name: 'a<b>&"c"', problem: 'was never\u0000 tried' },
    { name: 'paging', skipped: 'cannot be seen' },
  ])
  expect(report.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuite name="animal-store-mock coverage" tests="3" failures="1" skipped="1">',
    '  <testcase classname="coverage" name="--require listPets.200"/>',
    '  <testcase classname="coverage" name="a&lt;b&gt;&amp;&quot;c&quot;"><failure message="was never\\u0000 tried"/></testcase>',
    '  <testcase classname="coverage" name="paging"><skipped message="cannot be seen"/></testcase>',
    '</testsuite>',
    '',
  ])
})
