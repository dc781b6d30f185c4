'use strict'
// Preloaded by tests: prints when the program has installed its signal handlers.
const { writeSync } = require('node:fs')

const onListener = (event) => {
  if (event !== 'SIGHUP') return
  process.off('newListener', onListener)
  writeSync(1, 'takes signals\n')
}
process.on('newListener', onListener)
