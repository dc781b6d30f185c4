#!/usr/bin/env node
'use strict'
// Starts the built command line: by its path, by `npm run cli`, or through a link on the PATH.
const { existsSync, realpathSync } = require('node:fs')
const { dirname, resolve } = require('node:path')

// `realpathSync` resolves such a link, so that out/ is found.
const root = resolve(dirname(realpathSync(__filename)), '..', '..')
const program = resolve(root, 'out', 'cli', 'thru.cjs')

if (existsSync(program)) {
  require(program)
} else {
  console.error(`thru is not built yet: run "npm run build" in ${root} first.`)
  process.exitCode = 1
}
