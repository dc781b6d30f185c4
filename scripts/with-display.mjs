#!/usr/bin/env node
// with-display.mjs <command...>: runs a command, on a virtual screen if there is no real one.
import { spawnSync } from 'node:child_process'
import { hasDisplay } from './run-electron.mjs'

const command = process.argv.slice(2)
const [program, ...args] = hasDisplay() ? command : ['xvfb-run', '-a', ...command]
const { status, error } = spawnSync(program, args, {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (error)
  console.error(`${program} can't be run: ${error.message}. On Debian and Ubuntu, install xvfb.`)
process.exitCode = status ?? 1
