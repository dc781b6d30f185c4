// A whole pairing over fresh sockets, like real clients: two sockets, a nameplate, an introduction,
// ten bodies of realistic sizes, the pass, and both sockets' end.
import { lineKey } from './client-keys.mjs'
import { SwarmSocket } from './swarm-socket.mjs'

/** Lengths of the bodies after the joiner's first one: proofs, then candidates. */
const sizes = [420, 420, 300, 300, 250, 250, 250, 250, 250]
const bodies = sizes.map((size) => 'A'.repeat(size))
const firstBody = 'A'.repeat(159)

const say = (socket, message) => socket.send(JSON.stringify(message))

/** Number of joiners so far. It makes each first body unique, so that a host recognizes its joiner among strangers. */
let joined = 0

/** Resolves with the next message that matches; skips other joiners' messages. */
async function past(socket, isMeant) {
  for (;;) {
    const message = JSON.parse(await socket.next())
    if (isMeant(message)) return message
    if (message.t === 'error' && message.peer === undefined) throw new Error(message.code)
  }
}

async function startHost(port, from) {
  const socket = await SwarmSocket.open({ port, from })
  await socket.take('welcome')
  say(socket, { t: 'host', v: 1, key: lineKey })
  return { socket, nameplate: (await socket.take('hosted')).nameplate }
}

/** Runs a joiner from its first packet to its pass. */
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

/** Runs one pairing. Returns the joiner's milliseconds, after the host has its nameplate. */
export async function pair(port, hostFrom, joinerFrom) {
  const host = await startHost(port, hostFrom)
  const beganAt = performance.now()
  const joiner = await join(port, joinerFrom, host)
  const ms = performance.now() - beganAt
  say(joiner, { t: 'leave' })
  say(host.socket, { t: 'leave' })
  return ms
}
