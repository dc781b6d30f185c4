import { createSocket } from 'node:dgram'
import { encode, type Packet } from 'dns-packet'
import { expect, it, vi } from 'vitest'
import { announce, mayConcernShares, recordsOf } from '#client/lan/announcement'
import { multicastOver } from '#client/lan/multicast'
import { MulticastSockets } from '#client/lan/multicast-sockets'
import { near } from '#client/testing/fake-lan'
import { ManualClock } from '#client/testing/manual-clock'

/** Lines over a socket that receives only the test's packets. */
function rig() {
  const socket = createSocket('udp4')
  vi.spyOn(socket, 'bind').mockReturnValue(socket)
  vi.spyOn(socket, 'close').mockReturnValue(socket)
  const heard: Packet[] = []
  const sockets = new MulticastSockets({
    clock: new ManualClock(),
    addresses: () => [near('192.168.7.1')],
    open: (place, listener) => multicastOver(socket, place, listener),
  })
  sockets.use({
    concerns: mayConcernShares,
    onSocket: () => undefined,
    onPacket: (packet) => heard.push(packet),
  })
  const say = (bytes: Buffer, address = '192.168.7.2') =>
    socket.emit('message', bytes, { address, family: 'IPv4', port: 5353, size: bytes.length })
  return { say, heard }
}

/**
 * A packet with many names, each a chain of pointers through the whole packet. The time to decode it grows with the
 * square of its length.
 */
function chainOfNames(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt16BE(0x8400, 2)
  const record = Buffer.from([0, 0, 10, 0, 1, 0, 0, 0, 0])
  record.copy(bytes, 12)
  const first = 12 + record.length + 2
  const label = Buffer.from('\t_thruflux\0')
  label.copy(bytes, first)
  let last = first
  let at = first + label.length
  for (; at < Math.min(length / 2, 0x3ffe); at += 2) {
    bytes.writeUInt16BE(0xc000 | last, at)
    last = at
  }
  bytes.writeUInt16BE(at - first, first - 2)
  let records = 1
  for (; at + 12 <= length; at += 12) {
    bytes.writeUInt16BE(0xc000 | last, at)
    bytes.writeUInt16BE(10, at + 2)
    records += 1
  }
  bytes.writeUInt16BE(records, 6)
  return bytes
}

it('receives announcements of computers nearby, and none from further away', () => {
  const { say, heard } = rig()
  const answers = [...recordsOf(announce('4821', 41480), near('192.168.7.2'), false)]
  say(encode({ type: 'response', answers }))
  expect(heard).toHaveLength(1)
  say(encode({ type: 'response', answers }), '203.0.113.7')
  expect(heard).toHaveLength(1)
})

it('survives malformed packets', () => {
  const { say, heard } = rig()
  say(Buffer.from('\t_thruflux'))
  say(Buffer.alloc(0))
  expect(heard).toEqual([])
})

it('does not decode oversized packets made to keep it busy', () => {
  const { say, heard } = rig()
  say(chainOfNames(1400))
  expect(heard).toHaveLength(1)
  for (const length of [1501, 9000, 65_000]) say(chainOfNames(length))
  expect(heard).toHaveLength(1)
})
