/**
 * A receiver that knows the words and hides its address behind an mDNS name, like browsers. Prints `asked` for each
 * query for that name, and `checked` for each datagram to the address behind it. Bundled by the test; its arguments
 * are the server's URL, the code and its own address.
 */
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import type { Packet } from 'dns-packet'
import makeMdns from 'multicast-dns'
import { systemClock } from '#client/clock'
import { fixedServer } from '#client/signaling/server-locator'
import { SignalingClient } from '#client/signaling/signaling-client'
import { nameplateOf, wordsOf } from '#shared/code/join-code'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import { FakeReceiver } from '../../evil/fake-receiver'

const [, , url = '', code = '', address = ''] = process.argv
const name = `${randomUUID()}.local`
const nameplate = nameplateOf(code)
const receiver = new FakeReceiver(nameplate, wordsOf(code))
const say = (text: string) => process.stdout.write(`${text}\n`)

// A socket bound to its own address would receive no multicast.
const mdns = makeMdns({ interface: address, bind: '0.0.0.0' })
mdns.on('query', ({ questions = [] }: Packet) => {
  if (!questions.some((question) => question.name === name && question.type === 'A')) return
  say('asked')
  mdns.respond({ answers: [{ name, type: 'A', ttl: 120, flush: true, data: address }] })
})

const socket = createSocket('udp4')
socket.on('message', () => say('checked'))
socket.bind(0, address, () => client.start())

let hasProved = false
const client = new SignalingClient({
  ...{ server: fixedServer(url), clock: systemClock, random: Math.random },
  hello: () => ({ t: 'join', v: SIGNALING_VERSION, nameplate, body: receiver.opening }),
  onUp: () => undefined,
  onDown: (reason) => say(`down: ${JSON.stringify(reason)}`),
  onMessage: (message) => {
    if (message.t !== 'relay' || hasProved) return
    hasProved = true
    const { port } = socket.address()
    const line = `candidate:1 1 UDP 2113937151 ${name} ${port} typ host`
    for (const body of [receiver.prove(message.body), receiver.candidate(line)]) {
      client.send({ t: 'relay', to: message.from, body })
    }
  },
})
