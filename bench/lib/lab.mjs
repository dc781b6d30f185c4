// A signaling server, a sender and receivers, each receiver at the end of a veth pair.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Program } from './program.mjs'
import { addressFor, atHome, folder } from './world.mjs'

const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') }
const always = (number) => ['--json', '--server-url', `ws://${addressFor(number)}:8080`]

export async function startServer() {
  // All shares come from one address.
  const limits = { THRU_SESSION_CREATES_BURST: '100000', THRU_WS_CONNECTIONS_BURST: '100000' }
  const server = new Program(['serve', '--host', '0.0.0.0'], { env: { ...env, ...limits } })
  await server.line('text')
}

/** Starts a sender and waits until it has scanned its files; `code` is for the receivers. */
export async function host(paths, options = []) {
  const sender = new Program(['host', ...paths, ...always(0), ...options], { env })
  const { code } = await sender.line('code')
  await sender.line('scan')
  return { sender, code }
}

export function receive(code, out, { options = [], home = 0 } = {}) {
  const how = ['--out', out, '--yes', ...options]
  return new Program(['join', code, ...always(home), ...how], { within: atHome(home), env })
}

/**
 * Runs a whole transfer into `out` and deletes it. Returns the seconds from acceptance until all files have their names
 * on the disk, and the resources that both programs used.
 */
export async function transfer(paths, out, { hostOptions = [], joinOptions = [] } = {}) {
  const { sender, code } = await host(paths, hostOptions)
  const receiver = receive(code, out, { options: joinOptions })
  const done = await receiver.line('done')
  const received = await receiver.ended
  const scan = await sender.line('scan')
  const sent = await sender.stop()
  rmSync(out, { recursive: true, force: true })
  if (received.exitCode !== 0) throw new Error(`the receiver ended with ${received.exitCode}`)
  return {
    seconds: done.durationMs / 1000,
    bytes: done.bytes,
    sender,
    receiver,
    scan,
    sent,
    received,
  }
}

/**
 * Transfers to `count` receivers simultaneously, each into a folder below `folder`, and deletes the files. Returns the
 * receivers, the first and last time of starting and finishing in ms, and the sender's resources.
 */
export async function receiveAtOnce(
  paths,
  count,
  folder,
  { hostOptions = [], joinOptions = [] } = {},
) {
  const { sender, code } = await host(paths, hostOptions)
  const outs = Array.from({ length: count }, (_, home) => join(folder, `out${home}`))
  const receivers = outs.map((out, home) => receive(code, out, { options: joinOptions, home }))
  const when = async (type) => {
    const lines = await Promise.all(receivers.map((receiver) => receiver.line(type)))
    const times = lines.map(({ atMs }) => atMs)
    return { first: Math.min(...times), last: Math.max(...times) }
  }
  const started = await when('started')
  const done = await when('done')
  await Promise.all(receivers.map((receiver) => receiver.ended))
  const used = await sender.stop()
  for (const out of outs) rmSync(out, { recursive: true })
  return { receivers, started, done, used }
}
