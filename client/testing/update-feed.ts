/** A feed of a test: a real HTTP server on this computer, and keys made on the fly. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keyIdOf, signedBytes } from '#client/update/envelope'
import { canonicalJson } from '#shared/update/canonical'
import { type Envelope, payloadTypes, type UpdateManifest } from '#shared/update/manifest'

/** A key that signs for one test; `publicKey` in base64, as manifests have it. */
export type TestKey = { readonly publicKey: string; readonly secret: KeyObject }

/** A new key. */
export function testKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey: raw.toString('base64'), secret: privateKey }
}

/** The signed document that a feed would serve, whatever `content` is. */
export function envelope(
  kind: keyof typeof payloadTypes,
  content: object,
  keys: readonly TestKey[],
): Envelope {
  const payload = Buffer.from(canonicalJson(content))
  const payloadType = payloadTypes[kind]
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: keys.map(({ publicKey, secret }) => ({
      keyid: keyIdOf(publicKey),
      sig: sign(null, signedBytes(payloadType, payload), secret).toString('base64'),
    })),
  }
}

/** List `serial` of a chain, with these keys, signed by `signers`. */
export const keyList = (serial: number, keys: readonly TestKey[], signers: readonly TestKey[]) =>
  envelope(
    'keys',
    { format: 1, product: 'thruflux', serial, keys: keys.map(({ publicKey }) => publicKey) },
    signers,
  )

/** What an AppImage looks like from outside: its marks, and so many bytes that no other one has. */
export const appImage = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\x00AI\x02', 'latin1'), randomBytes(bytes)])

/** A manifest about `bytes`, valid for 30 days from `nowMs` on. */
export function manifestOf(
  bytes: Uint8Array,
  nowMs: number,
  more: Partial<UpdateManifest> = {},
): UpdateManifest {
  const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    ...{ format: 1, product: 'thruflux', channel: 'stable', version: '1.1.0' },
    ...{ platform: 'linux', arch: 'x64', kind: 'appimage', file: 'Thruflux-1.1.0.AppImage' },
    ...{ size: bytes.length, sha512: createHash('sha512').update(bytes).digest('hex') },
    ...{ minFrom: '0.1.0', published: time(nowMs), expires: time(nowMs + 30 * 24 * 3600 * 1000) },
    ...{ staged: 100, notes: '- Something new.' },
    ...more,
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Answers each path as it was told to, with 404 for every other one. */
export class TestFeed {
  /** Paths that were asked for, with the range behind them if there was one. */
  readonly asked: string[] = []
  readonly #answers = new Map<string, Answer>()
  readonly #server: Server
  #onAsked: (() => void)[] = []

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? ''
      const { range } = request.headers
      this.asked.push(range === undefined ? path : `${path} ${range}`)
      for (const resolve of this.#onAsked.splice(0)) resolve()
      const answer = this.#answers.get(path)
      if (answer === undefined) response.writeHead(404).end()
      else answer(request, response)
    })
  }

  async listen(): Promise<URL> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`)
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve)
      this.#server.closeAllConnections()
    })
  }

  on(path: string, answer: Answer): void {
    this.#answers.set(path, answer)
  }

  json(path: string, content: unknown): void {
    this.on(path, (_, response) => response.end(JSON.stringify(content)))
  }

  /** Serves bytes, and the rest of them to who asks for that. */
  bytes(path: string, bytes: Uint8Array): void {
    this.on(path, ({ headers }, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
      if (from > 0) {
        const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
        response.writeHead(206, { 'content-range': range })
      }
      response.end(bytes.subarray(from))
    })
  }

  /** Resolves when the path was asked for. */
  async wasAsked(path: string): Promise<void> {
    while (!this.asked.includes(path)) {
      await new Promise<void>((resolve) => this.#onAsked.push(resolve))
    }
  }
}
