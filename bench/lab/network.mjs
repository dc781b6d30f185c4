// Three network namespaces: sender, receiver and server. An emulator carries the packets between them, or sender and
// receiver are linked directly and the server runs at the sender. They end with the world.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { Failure } from '../../scripts/lib/failure.mjs'
import { ownNamespaces } from '../lib/world.mjs'
import { compiled } from './compiled.mjs'
import { controlsOfKernel, refusedControl } from './congestion-control.mjs'
import { putBehindNat } from './nat.mjs'
import { addressOf, linkLines, packetBytes, places } from './path.mjs'

/** ICE skips interfaces that aren't known to be up, which takes the kernel about a second. */
const settleMs = 2000

const batch = (place, commands) =>
  execFileSync('ip', ['-n', place, '-batch', '-'], { input: `${commands.join('\n')}\n` })

/** Command prefix that runs a program at a place. */
const inPlace = (place) => ['ip', 'netns', 'exec', place]

class Emulator {
  #child
  #lines

  constructor(seed) {
    this.#child = spawn(compiled('emulator'), [seed, ...places], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
  }

  async line() {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('the emulator ended')
    return value
  }

  set(path) {
    this.#child.stdin.write(`${linkLines(path).join('\n')}\n`)
  }

  /** Counts all packets carried so far, and those delivered more than 1 ms late. */
  async punctuality() {
    this.#child.stdin.write('figures\n')
    const links = JSON.parse(await this.line())
    const sum = (name) => links.reduce((all, link) => all + link[name], 0)
    return { packets: sum('packets'), tardy: sum('tardy') }
  }
}

function prepare(place, tcp) {
  execFileSync('ip', ['netns', 'add', place])
  const takes = (name, value) => {
    const [command, ...args] = [...inPlace(place), 'tee', `/proc/sys/net/${name}`]
    return spawnSync(command, args, { input: String(value) }).status === 0
  }
  const settings = {
    'ipv6/conf/all/disable_ipv6': 1,
    // Prevents a run from learning from the previous one.
    'ipv4/tcp_no_metrics_save': 1,
  }
  for (const [name, value] of Object.entries(settings)) {
    if (!takes(name, value)) throw new Failure(`The kernel doesn't accept ${value} for ${name}.`)
  }
  if (!takes('ipv4/tcp_congestion_control', tcp))
    throw new Failure(refusedControl(tcp, controlsOfKernel()))
  batch(place, ['link set lo up'])
}

/**
 * Creates the places. With a `path`, the emulator connects them. `address` and `prefix` return a place's address and
 * its command prefix, and `change` replaces the path. `nat` maps sides behind a NAT to the router's kind.
 */
export async function makeNetwork({ path, nat = {}, seed, tcp }) {
  ownNamespaces()
  if (!path) return linkDirectly(tcp)
  for (const place of places) prepare(place, tcp)
  const emulator = new Emulator(String(seed))
  await emulator.line()
  emulator.set(path)
  for (const place of places) {
    batch(place, [
      `link set e0 mtu ${packetBytes} txqueuelen 10000 up`,
      `address add ${addressOf(place, path)}/24 dev e0`,
      'route add default dev e0',
    ])
  }
  const homes = Object.fromEntries(
    Object.entries(nat).map(([place, kind]) => [place, makeHome(place, kind, tcp)]),
  )
  await after(settleMs)
  return {
    ...{ path, emulator, nat },
    change(next) {
      emulator.set(next)
      this.path = next
    },
    address: (place) => homes[place]?.address ?? addressOf(place, path),
    prefix: (place) => inPlace(homes[place]?.name ?? place),
  }
}

/** Creates the home of a side behind its router. */
function makeHome(place, kind, tcp) {
  const name = `${place}-home`
  prepare(name, tcp)
  const network = places.indexOf(place) + 1
  const outside = addressOf(place)
  return { name, address: putBehindNat({ place, home: name, kind, network, outside }) }
}

/** Addresses of directly linked places. */
const addressOfHost = (host) => `198.18.1.${host}`

async function linkDirectly(tcp) {
  const [from, to] = places
  for (const place of [from, to]) prepare(place, tcp)
  // ICE skips interfaces with names like those of virtual machines, so these are called e0.
  batch(from, [`link add e0 type veth peer name e0 netns ${to}`])
  for (const [host, place] of [from, to].entries()) {
    batch(place, [`address add ${addressOfHost(host + 1)}/24 dev e0`, 'link set e0 up'])
  }
  await after(settleMs)
  return {
    nat: {},
    address: (place) => addressOfHost(place === to ? 2 : 1),
    prefix: (place) => inPlace(place === to ? to : from),
  }
}

/** Bytes that left a place's interface since it was made. */
export function sentBy(network, place) {
  const [command, ...prefix] = network.prefix(place)
  const table = execFileSync(command, [...prefix, 'cat', '/proc/net/dev'], { encoding: 'utf8' })
  return Number(/e0:(?:\s+\d+){8}\s+(\d+)/.exec(table)[1])
}
