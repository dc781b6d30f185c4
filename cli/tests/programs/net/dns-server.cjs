/**
 * A DNS server on `ADDRESS`, port 53. The second argument is its kind: `right` resolves every IPv4 name to the address in the
 * third, `failing` returns an error, `garbled` returns invalid bytes, and `silent` doesn't answer. Prints `listening` at its start.
 */
const { createSocket } = require('node:dgram')
const { decode, encode } = require('dns-packet')

const [, , address, kind, data] = process.argv

const serverFailure = 2

const answerOf = {
  right: ({ id, questions }) => {
    const answers = questions
      .filter(({ type }) => type === 'A')
      .map(({ name }) => ({ type: 'A', name, ttl: 0, data }))
    return encode({ type: 'response', id, questions, answers })
  },
  failing: ({ id, questions }) =>
    encode({ type: 'response', id, flags: serverFailure, questions, answers: [] }),
  garbled: ({ id }) => Buffer.from([id >> 8, id & 0xff, ...Array(40).fill(0xff)]),
  silent: () => null,
}

const socket = createSocket('udp4')
socket.on('message', (query, { address: from, port }) => {
  const answer = answerOf[kind](decode(query))
  if (answer !== null) socket.send(answer, port, from)
})
socket.bind(53, address, () => process.stdout.write('listening\n'))
