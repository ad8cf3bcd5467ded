#!/usr/bin/env node
// In syntax that old versions of Node can read, so that they can say what is wrong; CommonJS, which Node starts sooner than ES modules.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 19)) {
  const start = () => require('../dist/cli/main.cjs')
  if (major < 22) {
    const { withCodeCache } = require('./code-cache.js')
    withCodeCache(start).run(process.argv)
  } else {
    const { enableCompileCache } = process.getBuiltinModule('module')
    if (enableCompileCache) enableCompileCache()
    start().run(process.argv)
  }
} else {
  console.error(`animal-store-mock: Node 20.19 or newer is required, this is ${process.versions.node}`)
  process.exitCode = 2
}
