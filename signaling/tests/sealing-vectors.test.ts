/** Test vectors for other implementations. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isOwner, OwnerKey } from '#shared/signaling/owner-proof'
import { ChannelKey } from '#shared/signaling/secure-channel'

const file = new URL('../../docs/vectors/signaling.json', import.meta.url)
const { computed } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly computed: {
    readonly nonce: string
    readonly client: { readonly secret: string; readonly key: string }
    readonly server: { readonly secret: string; readonly key: string }
    readonly boxes: readonly {
      readonly from: 'client' | 'server'
      readonly text: string
      readonly box: string
    }[]
    readonly owner: { readonly secret: string; readonly key: string; readonly proof: string }
  }
}
const { nonce, client, server, boxes, owner } = computed

/** RFC 8410's PKCS #8 for the 32 bytes of a secret key. */
function secretKey(curve: 'X25519' | 'Ed25519', secret: string): KeyObject {
  const beginning = `302e020100300506032b65${curve === 'X25519' ? '6e' : '70'}04220420`
  const key = Buffer.concat([Buffer.from(beginning, 'hex'), Buffer.from(secret, 'base64url')])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

it('seals and opens the boxes of the vectors', () => {
  const [near, far] = [client, server].map(({ secret, key }) => {
    const made = new ChannelKey(secretKey('X25519', secret))
    expect(made.publicKey).toBe(key)
    return made
  })
  const lines = {
    client: near?.channelTo(server.key, nonce, 'client'),
    server: far?.channelTo(client.key, nonce, 'server'),
  }
  for (const { from, text, box } of boxes) {
    expect(lines[from]?.seal(text)).toBe(box)
    expect(lines[from === 'client' ? 'server' : 'client']?.open(box)).toBe(text)
  }
})

it("creates and accepts the owner's proof of the vectors", () => {
  const greeting = { nonce, serverKey: server.key, clientKey: client.key }
  const key = new OwnerKey(secretKey('Ed25519', owner.secret))
  expect(key.publicKey).toBe(owner.key)
  expect(key.prove(greeting)).toBe(owner.proof)
  expect(isOwner(owner.key, owner.proof, greeting)).toBe(true)
  expect(isOwner(owner.key, owner.proof, { ...greeting, nonce: server.key })).toBe(false)
})
