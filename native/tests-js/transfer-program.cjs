// transfer-program.cjs ADDON SOURCE TARGET close|exit|worker STAGE: a transfer between two engines
// that ends in the given way at the given stage.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')

const [addonFile, source, target, ending, stage] = workerData ?? process.argv.slice(2)

// Writes synchronously, because the event loop may be about to end.
const say = (text) => writeSync(1, text + '\n')

const selection = { only: [], except: [], first: [] }
const options = {
  conflict: 'keep-both',
  compareContent: false,
  resume: true,
  verify: false,
  keepTimes: true,
  keepExecutable: true,
  makeLinks: true,
  makeEmptyFolders: true,
  portableNames: false,
  choices: [],
  mark: true,
}

function transfer(onStage) {
  const addon = require(addonFile)
  const ice = { stun: [], turn: [], relayUse: 'automatic' }
  const nameplate = '4821'
  const words = addon.newWords()
  const sender = addon.createEngine((events) => {
    for (const event of events) {
      if (event.type === 'signal')
        receiver.post({ type: 'signal', session: 2, peer: 's', payload: event.payload })
      if (event.type === 'pairing-done') onStage('pairing')
      if (event.type === 'accepted') onStage('accepted')
    }
  })
  const receiver = addon.createEngine((events) => {
    for (const event of events) {
      if (event.type === 'signal')
        sender.post({ type: 'signal', session: 1, peer: 'r', payload: event.payload })
      if (event.type === 'pairing-done') onStage('ice')
      if (event.type === 'connected') onStage('handshake')
      if (event.type === 'offer') {
        onStage('offer')
        receiver.post({
          type: 'accept',
          session: 2,
          directory: target,
          options,
          selection,
          autoAccept: null,
          toOutput: false,
        })
      }
      if (event.type === 'progress' && event.bytes > 0) onStage('transfer')
    }
  })
  sender.post({
    type: 'open-share',
    session: 1,
    items: [{ kind: 'path', path: source }],
    exclude: [],
    links: true,
    ignoreFiles: false,
    maxReceivers: 10,
    oneReceiver: false,
    approval: false,
    installation: 'A'.repeat(43),
    name: 'Mina',
    ice,
    restored: null,
  })
  onStage('scan')
  sender.post({ type: 'set-code', session: 1, code: `${nameplate}-${words}` })
  sender.post({ type: 'add-peer', session: 1, peer: 'r' })
  const receiveId = '0123456789abcdef0123456789abcdef'
  receiver.post({
    type: 'open-receive',
    session: 2,
    receiveId,
    nameplate,
    secret: { kind: 'words', words },
    peer: 's',
    name: 'Jonas',
    ice,
  })
  return { sender, receiver }
}

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
  transfer(once(() => parentPort.postMessage('reached')))
} else if (ending === 'worker') {
  const worker = new Worker(__filename, { workerData: process.argv.slice(2) })
  worker.once('message', () => {
    void worker.terminate().then(() => say(`ended at ${stage}`))
  })
} else {
  const engines = transfer(
    once(() => {
      say(`ended at ${stage}`)
      if (ending === 'exit') process.exit(0)
      void Promise.all([engines.sender.close(), engines.receiver.close()])
    }),
  )
}
