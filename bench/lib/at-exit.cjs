'use strict'
// Preloaded into a measured program; prints the resources used as its last line on standard error.
const { readFileSync, writeSync } = require('node:fs')

process.on('exit', () => {
  const field = (file, pattern) =>
    Number(pattern.exec(readFileSync(`/proc/self/${file}`, 'utf8'))[1])
  const { user, system } = process.cpuUsage()
  const used = {
    peakBytes: field('status', /^VmHWM:\s+(\d+) kB$/m) * 1024,
    cpuSeconds: (user + system) / 1e6,
    readCallBytes: field('io', /^rchar: (\d+)$/m),
    readDiskBytes: field('io', /^read_bytes: (\d+)$/m),
  }
  writeSync(2, `\nused ${JSON.stringify(used)}\n`)
})
