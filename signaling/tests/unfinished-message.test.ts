import type { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import * as library from 'ws'
import { isMidMessage, unfinishedBytes } from '#signaling/socket/unfinished-message'

/** A class that is missing from the library's types. */
const { Receiver } = library as unknown as {
  readonly Receiver: new (options: { isServer: boolean; maxPayload: number }) => Writable
}

/** A socket that has received these chunks. */
function after(...chunks: readonly Buffer[]): library.WebSocket {
  const _receiver = new Receiver({ isServer: true, maxPayload: 65_536 })
  for (const chunk of chunks) _receiver.write(chunk)
  return { _receiver } as unknown as library.WebSocket
}

/** A text frame, masked with zeros; `isLast` ends its message. */
function frame(bytes: number, isLast: boolean): Buffer {
  const head = Buffer.from([isLast ? 0x81 : 0x01, 0x80 | 126, bytes >> 8, bytes & 255, 0, 0, 0, 0])
  return Buffer.concat([head, Buffer.alloc(bytes, 'a')])
}

it('is empty between messages', () => {
  for (const socket of [after(), after(frame(40_000, true)), {} as unknown as library.WebSocket]) {
    expect(unfinishedBytes(socket)).toBe(0)
    expect(isMidMessage(socket)).toBe(false)
  }
})

it('counts complete fragments, and the received part of the next', () => {
  const whole = after(frame(40_000, false))
  expect(unfinishedBytes(whole)).toBeGreaterThanOrEqual(40_000)
  expect(isMidMessage(whole)).toBe(true)
  const part = after(frame(40_000, true).subarray(0, 20_000))
  expect(unfinishedBytes(part)).toBeGreaterThanOrEqual(20_000)
  expect(isMidMessage(part)).toBe(true)
})

it('counts the memory that a fragment shares with other messages once', () => {
  const chunk = Buffer.concat([frame(40_000, true), frame(1, false)])
  const socket = after(chunk)
  expect(unfinishedBytes(socket)).toBe(chunk.buffer.byteLength)
  expect(isMidMessage(socket)).toBe(true)
})
