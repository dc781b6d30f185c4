// A whole pairing over fresh sockets, at each server as its own clients do it: two sockets, a number, an introduction,
// ten bodies of the sizes that the app sends, what follows a pairing, and the end of both.
import { lineKey } from './client-keys.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

/** Characters of the bodies after the joiner's first one: proofs, then candidates. */
const sizes = [420, 420, 300, 300, 250, 250, 250, 250, 250]
const bodies = sizes.map((size) => 'A'.repeat(size))
const firstBody = 'A'.repeat(159)

const say = (socket, message) => socket.send(JSON.stringify(message))

/** Joiners so far: each says another first body, by which its host knows it among strangers. */
let joined = 0

/** The next message that is meant; others are of strangers. */
async function past(socket, isMeant) {
  for (;;) {
    const message = JSON.parse(await socket.next())
    if (isMeant(message)) return message
    if (message.t === 'error' && message.peer === undefined) throw new Error(message.code)
  }
}

/** A host of ours that waits for a joiner. */
export async function thruHost(port, from) {
  const socket = await SwarmSocket.open({ port, from })
  await socket.take('welcome')
  say(socket, { t: 'host', v: 1, key: lineKey })
  return { socket, nameplate: (await socket.take('hosted')).nameplate }
}

/** A joiner's way from its first packet to its pass; both sides leave. */
export async function thruJoin(port, from, { socket: host, nameplate }, stays = false) {
  const joiner = await SwarmSocket.open({ port, from })
  await joiner.take('welcome')
  joined += 1
  const body = String(joined).padEnd(firstBody.length, 'A')
  say(joiner, { t: 'join', v: 1, nameplate, key: lineKey, body })
  const [{ peer: hostId }, { peer: joinerId }] = await Promise.all([
    joiner.take('joined'),
    past(host, (message) => message.t === 'peer' && message.body === body),
  ])
  for (const [index, body] of bodies.entries()) {
    const isHosts = index % 2 === 0
    const [from_, to, id] = isHosts ? [host, joiner, joinerId] : [joiner, host, hostId]
    say(from_, { t: 'relay', to: id, body })
    await past(
      to,
      ({ t, from: sender }) => t === 'relay' && sender === (isHosts ? hostId : joinerId),
    )
  }
  say(host, { t: 'grant', peer: joinerId })
  await joiner.take('sealed')
  if (stays) {
    say(joiner, { t: 'leave' })
    await past(host, ({ t, peer }) => t === 'gone' && peer === joinerId)
  }
  return joiner
}

/** One pairing of ours; the milliseconds of the joiner, after the host has its number. */
export async function thruPairing(port, hostFrom, joinerFrom) {
  const host = await thruHost(port, hostFrom)
  const beganAt = performance.now()
  const joiner = await thruJoin(port, joinerFrom, host)
  const ms = performance.now() - beganAt
  say(joiner, { t: 'leave' })
  say(host.socket, { t: 'leave' })
  return ms
}

const appid = 'lothar.com/wormhole/text-or-file-xfer'
let side = 0

/** The next message of this type, past acknowledgements and one's own messages. */
async function taken(socket, type, own = '') {
  for (;;) {
    const message = JSON.parse(await socket.next())
    if (message.type === type && !(type === 'message' && message.side === own)) return message
    if (message.type === 'error') throw new Error(message.error)
  }
}

async function wormholeSide(port, from) {
  const socket = await SwarmSocket.open({ port, from })
  await taken(socket, 'welcome')
  side += 1
  const name = side.toString(16).padStart(10, '0')
  say(socket, { type: 'bind', appid, side: name, id: '0001' })
  return { socket, name }
}

async function claim({ socket }, nameplate) {
  say(socket, { type: 'claim', nameplate, id: '0003' })
  const { mailbox } = await taken(socket, 'claimed')
  say(socket, { type: 'open', mailbox, id: '0004' })
  return mailbox
}

/** The same with the mailbox server of magic-wormhole: as many bodies of the same sizes, in hexadecimal there. */
export async function wormholePairing(port, hostFrom, joinerFrom) {
  const host = await wormholeSide(port, hostFrom)
  say(host.socket, { type: 'allocate', id: '0002' })
  const { nameplate } = await taken(host.socket, 'allocated')
  const mailbox = await claim(host, nameplate)
  const beganAt = performance.now()
  const joiner = await wormholeSide(port, joinerFrom)
  await claim(joiner, nameplate)
  for (const [index, body] of [firstBody, ...bodies].entries()) {
    const [from, to] = index % 2 === 0 ? [joiner, host] : [host, joiner]
    say(from.socket, { type: 'add', phase: String(index), body, id: '0005' })
    await taken(to.socket, 'message', to.name)
  }
  const ms = performance.now() - beganAt
  for (const { socket } of [host, joiner]) {
    say(socket, { type: 'release', nameplate, id: '0006' })
    say(socket, { type: 'close', mailbox, mood: 'happy', id: '0007' })
  }
  await Promise.all([host, joiner].map(({ socket }) => taken(socket, 'closed')))
  for (const { socket } of [host, joiner]) socket.tcp.end()
  return ms
}
