#!/usr/bin/env node
// npm start: prepares the machine, builds what changed and opens the app.
import { bootstrap } from './bootstrap.mjs'
import { buildAll } from './build.mjs'
import { runMain } from './lib/failure.mjs'
import { requireDisplay, runElectron } from './run-electron.mjs'

runMain(async () => {
  requireDisplay()
  await bootstrap('start')
  await buildAll()
  process.exitCode = await runElectron(['--register-links', ...process.argv.slice(2)])
})
