// tls-program.cjs ADDON KEY CERT FOLDER: alternates connections of two engines and of the program's own
// TLS, under Node, or Electron as Node.
const { readFileSync } = require('node:fs')
const tls = require('node:tls')
const { transfer } = require('./two-engines.cjs')

const [addonFile, keyFile, certFile, folder] = process.argv.slice(2)
const addon = require(addonFile)
const key = readFileSync(keyFile)
const cert = readFileSync(certFile)

/** A TLS 1.3 connection over loopback with the program's own library. */
const ownTls = () =>
  new Promise((resolve, reject) => {
    const server = tls.createServer({ key, cert, minVersion: 'TLSv1.3' }, (socket) => socket.end())
    server.listen(0, '127.0.0.1', () => {
      const options = { port: server.address().port, host: '127.0.0.1', ca: cert }
      const client = tls.connect({ ...options, servername: 'localhost' })
      client.once('error', reject)
      client.once('secureConnect', () => {
        const protocol = client.getProtocol()
        client.destroy()
        server.close(() => resolve(protocol))
      })
    })
  })

/** Sends a file from one engine to another, over QUIC with the addon's library. */
const transferred = () =>
  new Promise((resolve) => {
    const engines = transfer(addon, certFile, folder, (stage) => {
      if (stage === 'end') resolve(Promise.all([engines.sender.close(), engines.receiver.close()]))
    })
  })

const run = async () => {
  const before = await ownTls()
  await transferred()
  const between = await ownTls()
  await transferred()
  return { handshakes: [before, between, await ownTls()], addon: addon.versions().openssl }
}
run().then(
  (result) => console.log(JSON.stringify(result)),
  (error) => {
    console.error(error)
    process.exitCode = 1
  },
)
