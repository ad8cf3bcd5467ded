// Looks at the built Storybook, at the root of a site and below it: each story has its situation,
// alone and beside the others on the docs page.
import assert from 'node:assert/strict'
import { chromium } from 'playwright'
import { preview } from 'vite'

const ALL = 'available none pending sold'
const DOWN = 'Deliberate fault: 503 Service Unavailable'
const serveAt = (base) =>
  preview({
    base,
    configFile: false,
    logLevel: 'warn',
    build: { outDir: 'out' },
    preview: { port: 0, host: '127.0.0.1' },
  })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: process.env.CHROMIUM_FLAGS.split(' '),
})

async function lookAt(base) {
  const server = await serveAt(base)
  const site = `http://localhost:${server.httpServer.address().port}${base}`
  const page = await browser.newPage()
  const look = async (id, viewMode, expected) => {
    await page.goto(`${site}iframe.html?id=${id}&viewMode=${viewMode}`)
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
  await page.close()
  await server.close()
}

try {
  await lookAt('/')
  await lookAt('/team/stories/')
  console.log('stories and docs page as expected')
} finally {
  await browser.close()
}
