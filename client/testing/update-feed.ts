/** Test feeds: a real HTTP server on this computer, and generated keys. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signedBytes } from '#client/update/signed-feed'
import type { Feed } from '#shared/update/feed'

/** A signing key for one test; `publicKey` is in base64, as in packages. */
export type TestKey = { readonly publicKey: string; readonly secret: KeyObject }

export function testKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey: raw.toString('base64'), secret: privateKey }
}

/** Signs a feed with this name and any `content`. */
export function signedFeed(name: string, content: object, { secret }: TestKey): string {
  const text = `${JSON.stringify(content)}\n`
  return `${text}# signature: ${sign(null, signedBytes(name, text), secret).toString('base64')}\n`
}

/** A fake AppImage: the real magic, followed by random bytes. */
export const appImage = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\x00AI\x02', 'latin1'), randomBytes(bytes)])

/** A time in the format of feeds. */
export const feedTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** A feed that offers `bytes`, valid for 30 days from `nowMs`. */
export function feedOf(bytes: Uint8Array, nowMs: number, more: Partial<Feed> = {}): Feed {
  const sha512 = createHash('sha512').update(bytes).digest('base64')
  return {
    version: '1.1.0',
    files: [{ url: 'Thruflux-1.1.0.AppImage', sha512, size: bytes.length }],
    ...{ releaseDate: feedTime(nowMs), expires: feedTime(nowMs + 30 * 24 * 3600 * 1000) },
    ...{ stagingPercentage: 100, releaseNotes: '- Something new.' },
    ...more,
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Serves the paths that a test has set, and answers others with 404. */
export class TestFeed {
  readonly asked: string[] = []
  readonly #answers = new Map<string, Answer>()
  readonly #server: Server
  #onAsked: (() => void)[] = []

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? ''
      this.asked.push(path)
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

  bytes(path: string, bytes: Uint8Array | string): void {
    this.on(path, (_, response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(bytes) }).end(bytes)
    })
  }

  async wasAsked(path: string): Promise<void> {
    while (!this.asked.includes(path)) {
      await new Promise<void>((resolve) => this.#onAsked.push(resolve))
    }
  }
}
