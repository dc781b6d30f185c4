/** The addon carries an OpenSSL of its own; the program that loads it has another one. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createServer, connect, type TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { addon, addonFile } from './addon.js'
import { selfSigned } from './self-signed.js'

/** A TLS 1.3 connection over loopback with the program's own library. */
const ownTls = async (): Promise<string | null> => {
  const server = createServer({ ...selfSigned, minVersion: 'TLSv1.3' }, (socket) => socket.end())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const socket = await new Promise<TLSSocket>((connected, failed) => {
    const client = connect({
      port,
      host: '127.0.0.1',
      ca: selfSigned.cert,
      servername: 'localhost',
    })
    client.once('secureConnect', () => connected(client)).once('error', failed)
  })
  const protocol = socket.getProtocol()
  socket.destroy()
  await new Promise((closed) => server.close(closed))
  return protocol
}

describe('two TLS libraries in one process', () => {
  it('both make handshakes, in any order', async () => {
    expect(addon.tlsSelfTest()).toBe('TLSv1.3')
    expect(await ownTls()).toBe('TLSv1.3')
    expect(addon.tlsSelfTest()).toBe('TLSv1.3')
  })

  it('differ in version, so one of them is not the other', () => {
    expect(addon.versions()['openssl']).not.toBe(process.versions.openssl)
  })

  it.runIf(process.platform === 'linux')('never meet: the addon exports no symbol of TLS', () => {
    const exported = execFileSync('nm', ['--dynamic', '--defined-only', addonFile], {
      encoding: 'utf8',
    })
    expect(exported).toContain('napi_register_module_v1')
    expect(exported).not.toMatch(/SSL_|EVP_|CRYPTO_|ngtcp2|sodium|blake3/i)
    const needed = spawnSync('nm', ['--dynamic', '--undefined-only', addonFile], {
      encoding: 'utf8',
    }).stdout
    expect(needed).not.toMatch(/ (SSL|EVP|X509|CRYPTO|BIO)_/)
  })
})
