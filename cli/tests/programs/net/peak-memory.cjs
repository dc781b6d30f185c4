'use strict'
// Loaded into a program under test; prints its peak memory as the last line on standard error.
const { readFileSync, writeSync } = require('node:fs')

process.on('exit', () => {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  writeSync(2, `peak memory: ${kib} KiB\n`)
})
