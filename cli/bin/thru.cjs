#!/usr/bin/env node
'use strict'
// Starts the built command line. It is called by its path, by `npm run cli`, or by a link on the PATH.
const { existsSync, realpathSync } = require('node:fs')
const { dirname, resolve } = require('node:path')

// Through a link, the real path is the one beside out/.
const root = resolve(dirname(realpathSync(__filename)), '..', '..')
const program = resolve(root, 'out', 'cli', 'thru.cjs')

if (existsSync(program)) {
  require(program)
} else {
  console.error(`thru is not built yet: run "npm run build" in ${root} first.`)
  process.exitCode = 1
}
