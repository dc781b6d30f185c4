// A whole pairing over fresh sockets, as clients do it: two sockets, a number, an introduction,
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

/** A host that waits for a joiner. */
async function startHost(port, from) {
  const socket = await SwarmSocket.open({ port, from })
  await socket.take('welcome')
  say(socket, { t: 'host', v: 1, key: lineKey })
  return { socket, nameplate: (await socket.take('hosted')).nameplate }
}

/** A joiner's way from its first packet to its pass. */
async function join(port, from, { socket: host, nameplate }) {
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
  return joiner
}

/** One pairing; the milliseconds of the joiner, after the host has its number. */
export async function pair(port, hostFrom, joinerFrom) {
  const host = await startHost(port, hostFrom)
  const beganAt = performance.now()
  const joiner = await join(port, joinerFrom, host)
  const ms = performance.now() - beganAt
  say(joiner, { t: 'leave' })
  say(host.socket, { t: 'leave' })
  return ms
}
