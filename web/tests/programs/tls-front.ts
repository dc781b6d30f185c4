/** TLS in front of a server, as an operator's reverse proxy, which notes what it could read. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'

/** Options of a Chromium that reaches only the front, no sender by WebTransport. */
export const staysAtServer = [
  '--no-sandbox',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost',
]

/** A running front. */
export type TlsFront = {
  /** `https://localhost:PORT`. */
  readonly origin: string
  /** The file of the certificate, for clients to trust. */
  readonly certificate: string
  /** The requests of clients, with their headers. */
  readonly requests: () => readonly string[]
  /** Passes connections on to this port of 127.0.0.1. */
  readonly leadTo: (port: number) => void
  /** Each connection opened after this gets at most this many bytes from the server. */
  readonly hold: (bytes: number) => void
  /** Ends all connections, the sender's too; new ones are not held. */
  readonly cut: () => void
  /** Bytes that clients got from the server since the last call. */
  readonly takePassed: () => number
  readonly close: () => void
}

/** Listens on a free port; the certificate is made in `folder`. */
export async function tlsFront(folder: string): Promise<TlsFront> {
  const [key, certificate] = [join(folder, 'front.key'), join(folder, 'front.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'pipe' },
  )
  let target = 0
  let most = Infinity
  let passed = 0
  const requests: string[] = []
  const open = new Set<Socket>()
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate), ALPNProtocols: ['http/1.1'] },
    (client) => {
      const inner = connect(target, '127.0.0.1')
      for (const socket of [client, inner]) {
        open.add(socket)
        socket.on('error', () => {
          client.destroy()
          inner.destroy()
        })
        socket.once('close', () => open.delete(socket))
      }
      let said = ''
      const note = (data: Buffer): void => {
        said += data.toString('latin1')
        const end = said.indexOf('\r\n\r\n')
        if (end === -1) return
        // The server answers one request on each connection.
        requests.push(said.slice(0, end))
        client.off('data', note)
      }
      client.on('data', note)
      client.pipe(inner)
      let left = most
      inner.on('data', (data: Buffer) => {
        left -= data.length
        passed += data.length
        if (!client.write(data) || left <= 0) inner.pause()
      })
      client.on('drain', () => {
        if (left > 0) inner.resume()
      })
      inner.on('end', () => client.end())
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://localhost:${port}`,
    certificate,
    requests: () => requests,
    leadTo: (place) => (target = place),
    hold: (bytes) => (most = bytes),
    cut: () => {
      most = Infinity
      for (const socket of open) socket.destroy()
    },
    takePassed: () => {
      const bytes = passed
      passed = 0
      return bytes
    },
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
