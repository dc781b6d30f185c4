// A transfer between two engines in this process.
const selection = { only: [], except: [], first: [] }
const options = {
  conflict: 'keep-both',
  compareContent: false,
  resume: true,
  verify: false,
  keepTimes: true,
  keepExecutable: true,
  keepAttributes: false,
  makeLinks: true,
  makeEmptyFolders: true,
  portableNames: false,
  choices: [],
  mark: true,
}

/**
 * Sends `source` into the folder `target`, and calls `onStage` with each stage that begins. Returns the
 * engines.
 */
exports.transfer = (addon, source, target, onStage) => {
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
      if (event.type === 'finished') onStage('end')
    }
  })
  sender.post({
    type: 'open-share',
    session: 1,
    items: [{ kind: 'path', path: source }],
    exclude: [],
    links: true,
    followLinks: false,
    ignoreFiles: false,
    maxReceivers: 10,
    oneReceiver: false,
    approval: false,
    browsers: true,
    installation: 'A'.repeat(43),
    name: 'Mina',
    ice,
    restored: null,
    storesAdmission: false,
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
