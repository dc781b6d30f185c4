// tls-program.cjs ADDON KEY CERT: alternates handshakes of the addon's TLS and the program's own,
// under Node, or Electron as Node.
const { readFileSync } = require('node:fs')
const tls = require('node:tls')

const [addonFile, keyFile, certFile] = process.argv.slice(2)
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

const run = async () => {
  const handshakes = [addon.tlsSelfTest(), await ownTls(), addon.tlsSelfTest(), await ownTls()]
  const engine = addon.createEngine(() => undefined)
  await engine.close()
  return { handshakes, addon: addon.versions().openssl }
}
run().then(
  (result) => console.log(JSON.stringify(result)),
  (error) => {
    console.error(error)
    process.exitCode = 1
  },
)
