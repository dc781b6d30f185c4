#!/usr/bin/env node
'use strict'
// Launcher of the built command line, so that `npx thru` and an absolute path both work from a checkout.
const { existsSync, realpathSync } = require('node:fs')
const { dirname, resolve } = require('node:path')

// npm links this file into node_modules/.bin: the real path is the one beside out/.
const root = resolve(dirname(realpathSync(__filename)), '..', '..')
const program = resolve(root, 'out', 'cli', 'thru.cjs')

if (existsSync(program)) {
  require(program)
} else {
  console.error(`thru is not built yet: run "npm run build" in ${root} first.`)
  process.exitCode = 1
}
