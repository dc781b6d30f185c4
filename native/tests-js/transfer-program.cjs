// transfer-program.cjs ADDON SOURCE TARGET close|exit|worker STAGE: a transfer between two engines
// that ends in the given way at the given stage.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const { transfer } = require('./two-engines.cjs')

const [addonFile, source, target, ending, stage] = workerData ?? process.argv.slice(2)

// Writes synchronously, because the event loop may be about to end.
const say = (text) => writeSync(1, text + '\n')

const once = (action) => {
  let done = false
  return (reached) => {
    if (done || reached !== stage) return
    done = true
    // At the first stage, the engines are known only after this turn.
    setTimeout(action)
  }
}

if (!isMainThread) {
  transfer(
    require(addonFile),
    source,
    target,
    once(() => parentPort.postMessage('reached')),
  )
} else if (ending === 'worker') {
  const worker = new Worker(__filename, { workerData: process.argv.slice(2) })
  worker.once('message', () => {
    void worker.terminate().then(() => say(`ended at ${stage}`))
  })
} else {
  const engines = transfer(
    require(addonFile),
    source,
    target,
    once(() => {
      say(`ended at ${stage}`)
      if (ending === 'exit') process.exit(0)
      void Promise.all([engines.sender.close(), engines.receiver.close()])
    }),
  )
}
