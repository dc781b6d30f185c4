/**
 * A hostile computer on the local network: announces another share's nameplate, and sends joiners
 * nonsense. Bundled by the test; its argument is the nameplate.
 */
import { systemClock } from '#client/clock'
import { LocalNetwork } from '#client/lan/local-network'
import { LocalServer } from '#client/signaling/local-server'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { SignalingClient } from '#client/signaling/signaling-client'

const [, , nameplate = ''] = process.argv
const server = new LocalServer()
const network = LocalNetwork.beside(server, systemClock, true, () => undefined)
const owner = new NameplateOwner()
const client = new SignalingClient({
  server,
  clock: systemClock,
  random: Math.random,
  hello: (greeting) => ({ ...owner.claim(greeting, nameplate), visible: true }),
  onUp: () => undefined,
  onDown: () => undefined,
  onMessage: (message) => {
    if (message.t === 'hosted') {
      network.announce(nameplate)
      process.stdout.write('announced\n')
    } else if (message.t === 'peer') {
      process.stdout.write('joined\n')
    } else if (message.t === 'relay') {
      process.stdout.write('asked\n')
      client.send({ t: 'relay', to: message.from, body: 'AAAA' })
    }
  },
})
client.start()
