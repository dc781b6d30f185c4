/** Two computers on one network, where a TCP connection carries data alongside UDP. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '#shared/state/app-state'
import { type Ending, type Line, linesOf, Thru } from '../../thru'
import { networkTestMs } from '../patience'
import { routesOf } from '../scene'
import { addressOn, type Computer, Lan, serverPort } from './lan'

const MiB = 1024 * 1024
const sides = ['host', 'join'] as const

/** The content of a stream, and the part that is sent before a test interferes. */
const data = randomBytes(32 * MiB)
const firstBytes = 8 * MiB

/** A speed limit that spreads a transfer over seconds. */
const slowly = ['--limit-up', '8MiB']

/** The size of datagrams over TCP. */
const datagramBytes = { tcp: 8952 }

const isBy =
  (transport: Route['transport']) =>
  (line: Line): boolean =>
    (line['route'] as Route).transport === transport

const title = 'between two computers of one network'
describe.skipIf(process.platform !== 'linux')(title, { timeout: networkTestMs }, () => {
  let lan: Lan
  let server: Thru
  let folder: string
  let running: Thru[] = []

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), `thru-net-${process.pid}-`))
    return () => rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    running = []
    lan = await Lan.make('both')
    const at = ['--host', addressOn('third'), '--port', String(serverPort)]
    server = thru('third', 'serve', ...at)
    await server.match(/ws:\S+/)
  })
  afterEach(async () => {
    await Promise.all(running.map((program) => program.stop('SIGKILL')))
    await lan.remove()
  })

  function thru(computer: Computer, ...args: readonly string[]): Thru {
    const env = { XDG_STATE_HOME: join(folder, `${computer}-state`), XDG_CONFIG_HOME: folder }
    const program = new Thru(args, { within: lan.within(computer), env, holdsInput: true })
    running.push(program)
    return program
  }

  /** Starts a stream that can't end before `expectArrival`. */
  async function begin(options: readonly string[] = []) {
    const url = ['--server-url', `ws://${addressOn('third')}:${serverPort}`]
    const sender = thru('host', 'host', '-', '--as', 'data', '--json', ...url, ...options)
    let typedBytes = 0
    const type = (untilBytes: number): void => {
      sender.type(data.subarray(typedBytes, untilBytes))
      typedBytes = untilBytes
    }
    type(firstBytes)
    const code = String((await sender.line('code'))['code'])
    const out = mkdtempSync(join(folder, 'dst-'))
    const receiver = thru('join', 'join', code, ...url, '--out', out, '--yes', '--json')
    return { sender, receiver, out, type }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  /** Expects all data over the original connection. */
  async function expectArrival({ sender, receiver, out, type }: Begun) {
    type(data.length)
    sender.endInput()
    const received = await receiver.ended
    expect(received.stdout + received.stderr).toContain('"done"')
    expect(readFileSync(join(out, 'data')).equals(data)).toBe(true)
    expect(linesOf(received.stdout).filter(({ type }) => type === 'reconnecting')).toEqual([])
    return { received, sent: await sender.ended }
  }

  const largestDatagram = ({ stdout }: Ending) =>
    linesOf(stdout)
      .filter(({ type }) => type === 'statistics')
      .at(-1)?.['datagramBytes']
  const transportsOf = (ending: Ending) => routesOf(ending).map(({ transport }) => transport)
  const lastTransport = (ending: Ending) => transportsOf(ending).at(-1)

  const byTcp = async ({ sender, receiver }: Begun) => {
    for (const side of [sender, receiver]) {
      const types = ['connected', 'route-changed']
      await Promise.any(types.map((type) => side.lineWhere(type, isBy('tcp'))))
    }
    await receiver.lineWhere('progress', ({ bytes }) => Number(bytes) > 4 * MiB)
  }

  it('large datagrams go through TCP', async () => {
    const { received, sent } = await expectArrival(await begin(slowly))
    expect([received, sent].map(lastTransport)).toEqual(['tcp', 'tcp'])
    expect(routesOf(sent).at(-1)?.kind).toBe('local')
    expect(largestDatagram(sent)).toBe(datagramBytes.tcp)
  })

  /** A busy computer may measure a long round trip, and then uses UDP. */
  it('data goes through TCP and a router of the site', { tags: ['full'] }, async () => {
    lan.moveBehindRouter('join')
    let ends: readonly Ending[]
    do {
      const { received, sent } = await expectArrival(await begin())
      expect(routesOf(sent).at(-1)?.kind).toBe('direct')
      ends = [received, sent]
    } while (!ends.every((end) => transportsOf(end).includes('tcp')))
  })

  it('a lossy network is left to UDP', async () => {
    lan.loseTcp('join')
    const { received, sent } = await expectArrival(await begin(slowly))
    expect(transportsOf(sent)).toContain('tcp')
    expect([received, sent].map(lastTransport)).toEqual(['udp', 'udp'])
  })

  it.each(['drop', 'reset'] as const)(
    'a transfer continues over UDP when TCP ends (%s)',
    { tags: ['full'] },
    async (how) => {
      const transfer = await begin(slowly)
      await byTcp(transfer)
      for (const side of sides) lan.refuse(side, 'tcp', 'e0', how)
      const { received, sent } = await expectArrival(transfer)
      expect([received, sent].map(lastTransport)).toEqual(['udp', 'udp'])
    },
  )

  it('an outage ends TCP, but not the connection', { tags: ['full'] }, async () => {
    const transfer = await begin(slowly)
    await byTcp(transfer)
    // Otherwise a busy computer could reconnect over the server in the meantime.
    server.signal('SIGSTOP')
    const blocked = sides.flatMap((side) =>
      (['tcp', 'udp'] as const).map((by) => [side, by] as const),
    )
    for (const [side, protocol] of blocked) lan.refuse(side, protocol)
    transfer.type(2 * firstBytes)
    for (const side of [transfer.sender, transfer.receiver]) {
      await side.lineWhere('route-changed', isBy('udp'))
    }
    for (const [side, protocol] of blocked) lan.admit(side, protocol)
    const { received, sent } = await expectArrival(transfer)
    expect([received, sent].map(lastTransport)).toEqual(['udp', 'udp'])
  })

  it.each(sides)(
    'the other side learns that the %s ends, even if TCP is blocked',
    { tags: ['full'] },
    async (side) => {
      const transfer = await begin(slowly)
      await byTcp(transfer)
      for (const each of sides) lan.refuse(each, 'tcp')
      const [leaver, other] =
        side === 'host'
          ? [transfer.sender, transfer.receiver]
          : [transfer.receiver, transfer.sender]
      leaver.signal('SIGINT')
      const { code } = await other.line('error')
      expect(code).toBe(side === 'host' ? 'E_STOPPED' : 'E_CANCELLED')
    },
  )

  it('a transfer continues when both addresses change', { tags: ['full'] }, async () => {
    const transfer = await begin(slowly)
    await byTcp(transfer)
    for (const side of sides) lan.changeAddress(side)
    await expectArrival(transfer)
  })

  it('UDP is used alone if TCP would use another network', { tags: ['full'] }, async () => {
    lan.addCable('host', 'join')
    for (const side of sides) {
      lan.refuse(side, 'tcp')
      lan.refuse(side, 'udp', 'a0')
    }
    const { received, sent } = await expectArrival(await begin())
    expect([received, sent].flatMap(transportsOf)).not.toContain('tcp')
  })
})
