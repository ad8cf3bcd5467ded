#!/usr/bin/env node
// In syntax that old versions of Node can read, so that they can say what is wrong; CommonJS, which Node starts sooner than ES modules.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 19)) {
  // From Node 22.1 on; before that it would take 1 % of the start to find out.
  const { enableCompileCache } = major < 22 ? {} : process.getBuiltinModule('module')
  if (enableCompileCache) enableCompileCache()
  loadCli().run(process.argv)
} else {
  console.error(
    `animal-store-mock: Node 20.19 or newer is required, this is ${process.versions.node}`,
  )
  process.exitCode = 2
}

function loadCli() {
  try {
    return require('../dist/cli/main.cjs')
  } catch (error) {
    const isBuilt = error.code !== 'MODULE_NOT_FOUND'
    if (isBuilt) throw error
    console.error('animal-store-mock: this clone is not built yet; run npm ci first')
    return process.exit(2)
  }
}
