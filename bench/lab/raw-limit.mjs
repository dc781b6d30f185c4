// Bulk rate of a path without disk access: TCP with the local settings, and UDP in full-size datagrams.
import { compiled } from './compiled.mjs'
import { headerBytes, packetBytes } from './path.mjs'

const port = '9900'
const datagramBytes = packetBytes - headerBytes
const seconds = 8

export const rawKinds = ['tcp', 'udp']

/** Returns the payload rate in Mbit/s. `sender` and `receiver` are places. UDP is sent at the path's rate. */
export async function measureRaw(kind, { sender, receiver, address, path, bytes }) {
  const program = compiled('raw')
  const target = receiver.start([program, 'receive', kind, port, String(seconds)])
  if (!(await target.match(/ready/))) throw new Error(`raw ${kind}: ${target.text}`)
  const rate = String(kind === 'udp' ? (path?.rate ?? 0) * 1e6 : 0)
  const source = sender.start([
    ...[program, 'send', kind, address, port],
    ...[String(path ? 1e15 : bytes), rate, String(datagramBytes)],
  ])
  await target.ended
  const figures = /\{.*\}/.exec(target.text)
  source.child.kill('SIGKILL')
  await source.ended
  if (!figures) throw new Error(`raw ${kind}: ${target.text}`)
  const { bytes: arrived, seconds: took } = JSON.parse(figures[0])
  return (arrived * 8) / took / 1e6
}
