/** The page's own implementation opens the boxes of the vectors that the server's code makes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesOf, SealedLine } from '../signaling/sealed-line'

const file = new URL('../../docs/vectors/signaling.json', import.meta.url)
const { computed } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly computed: {
    readonly nonce: string
    readonly client: { readonly secret: string; readonly key: string }
    readonly server: { readonly key: string }
    readonly boxes: readonly {
      readonly from: string
      readonly text: string
      readonly box: string
    }[]
  }
}
const { nonce, client, server, boxes } = computed
const lineOfVectors = (): SealedLine => new SealedLine(server.key, nonce, bytesOf(client.secret))
const fromServer = boxes.filter(({ from }) => from === 'server')

describe('a sealed line', () => {
  it('opens the boxes of the vectors in their order', () => {
    const line = lineOfVectors()
    expect(line.publicKey).toBe(client.key)
    expect(fromServer.length).toBeGreaterThan(0)
    for (const { text, box } of fromServer) expect(line.open(box)).toBe(text)
  })

  it('opens no box twice, and none that was changed or made by another', () => {
    const line = lineOfVectors()
    const [{ text, box } = { text: '', box: '' }] = fromServer
    const changed = `${box.startsWith('A') ? 'B' : 'A'}${box.slice(1)}`
    for (const other of [changed, box.slice(0, 22), 'not base64url!', '']) {
      expect(line.open(other)).toBeNull()
    }
    expect(line.open(box)).toBe(text)
    expect(line.open(box)).toBeNull()
    const stranger = new SealedLine(server.key, nonce)
    expect(stranger.open(box)).toBeNull()
  })

  it('refuses a server key that gives no secret', () => {
    expect(() => new SealedLine('A'.repeat(43), nonce)).toThrow()
    expect(() => new SealedLine('short', nonce)).toThrow()
  })
})
