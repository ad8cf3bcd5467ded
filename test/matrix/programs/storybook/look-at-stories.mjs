// Looks at the built Storybook: each story has its situation, alone and beside the others on the
// docs page.
import assert from 'node:assert/strict'
import { chromium } from 'playwright'
import { preview } from 'vite'

const ALL = 'available none pending sold'
const DOWN = 'Deliberate fault: 503 Service Unavailable'
const server = await preview({
  configFile: false,
  logLevel: 'warn',
  build: { outDir: 'out' },
  preview: { port: 0, host: '127.0.0.1' },
})
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: process.env.CHROMIUM_FLAGS.split(' '),
})
try {
  const page = await browser.newPage()
  const look = async (id, viewMode, expected) => {
    await page.goto(
      `http://localhost:${server.httpServer.address().port}/iframe.html?id=${id}&viewMode=${viewMode}`,
    )
    await page.waitForFunction(
      (count) =>
        [...document.querySelectorAll('.animals')].filter((one) => one.textContent).length ===
        count,
      expected.length,
    )
    assert.deepEqual(
      (await page.locator('.animals').allTextContents()).sort(),
      [...expected].sort(),
      id,
    )
  }
  await look('animals--default', 'story', [ALL])
  await look('animals--sold-out', 'story', ['sold'])
  await look('animals--down', 'story', [DOWN])
  // The docs page shows its first story twice.
  await look('animals--docs', 'docs', [ALL, ALL, 'sold', DOWN])
  console.log('stories and docs page as expected')
} finally {
  await browser.close()
  await server.close()
}
