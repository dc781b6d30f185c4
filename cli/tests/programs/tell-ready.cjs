'use strict'
// Preloaded by tests: says when the program has taken over the signals that end it.
const { writeSync } = require('node:fs')

const onListener = (event) => {
  if (event !== 'SIGHUP') return
  process.off('newListener', onListener)
  writeSync(1, 'takes signals\n')
}
process.on('newListener', onListener)
