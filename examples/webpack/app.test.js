import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rspack } from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
import webpack from 'webpack'
import WebpackDevServer from 'webpack-dev-server'
import config from './webpack.config.js'

for (const [name, bundler, DevServer] of [
  ['webpack', webpack, WebpackDevServer],
  ['rspack', rspack, RspackDevServer],
]) {
  test(`${name}: the animals come from the mock, and the bundle from the dev server`, async () => {
    const { devServer, ...rest } = config
    const compiler = bundler({ ...rest, infrastructureLogging: { level: 'error' }, stats: 'errors-only' })
    const server = new DevServer({ ...devServer, host: '127.0.0.1', port: 'auto' }, compiler)
    await server.start()
    try {
      const origin = `http://127.0.0.1:${server.server.address().port}`
      const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
      const created = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
      assert.equal(created.status, 201)
      assert.equal((await fetch(`${origin}/__mock/`)).status, 200)
      assert.match(await (await fetch(`${origin}/main.js`)).text(), /v1\/pets/)
    } finally {
      await server.stop()
    }
  })
}
