import { expect, it } from 'vitest'
import { ChannelKey } from '#shared/signaling/secure-channel'

const nonce = 'N'.repeat(43)

const pair = () => {
  const [client, server] = [new ChannelKey(), new ChannelKey()]
  const near = client.channelTo(server.publicKey, nonce, 'client')
  const far = server.channelTo(client.publicKey, nonce, 'server')
  if (near === null || far === null) throw new Error('no line')
  return { near, far, client, server }
}

it("opens the other end's boxes in order", () => {
  const { near, far } = pair()
  const boxes = ['one', 'two', 'käse'].map((text) => near.seal(text))
  expect(boxes.map((box) => far.open(box))).toEqual(['one', 'two', 'käse'])
  expect(near.open(far.seal('back'))).toBe('back')
})

it('opens no box twice, out of order, altered, or returned to its sender', () => {
  const { near, far } = pair()
  const first = near.seal('one')
  const second = near.seal('two')
  expect(far.open(second)).toBeNull()
  expect(near.open(first)).toBeNull()
  expect(far.open(`${first.startsWith('A') ? 'B' : 'A'}${first.slice(1)}`)).toBeNull()
  expect(far.open(first)).toBe('one')
  expect(far.open(first)).toBeNull()
  expect(far.open('')).toBeNull()
})

it('opens no box of a socket with another nonce', () => {
  const { near, client, server } = pair()
  const other = server.channelTo(client.publicKey, 'O'.repeat(43), 'server')
  expect(other?.open(near.seal('one'))).toBeNull()
})

it.each([
  ['no key', 'A'],
  ['a point of low order', 'A'.repeat(43)],
])('has no line to %s', (_what, key) => {
  expect(new ChannelKey().channelTo(key, nonce, 'server')).toBeNull()
})
