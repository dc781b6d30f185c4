/** Two computers on one network, where a TCP connection carries data alongside UDP. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '#shared/state/app-state'
import { type Ending, linesOf, Thru } from '../thru'
import { hashTree, writeTree } from '../tree'
import { addressOn, type Computer, Lan, serverPort } from './lan'
import { gapLimitMs } from './patience'
import { routesOf } from './scene'

const MiB = 1024 * 1024
const sides = ['host', 'join'] as const

/** A speed limit that gives a transfer a middle. */
const slowly = ['--limit-up', '8MiB']

/** Datagram sizes for TCP, and for UDP with frames of 1,500 bytes. */
const datagramBytes = { tcp: 8952, udp: 1452 }

const isOfTcp = (line: Readonly<Record<string, unknown>>): boolean =>
  (line['route'] as Route).transport === 'tcp'

describe.skipIf(process.platform !== 'linux')('between two computers of one network', () => {
  let lan: Lan
  let folder: string
  let running: Thru[] = []

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), `thru-net-${process.pid}-`))
    writeTree(join(folder, 'src'), {
      'a.bin': randomBytes(24 * MiB),
      'b.bin': randomBytes(8 * MiB),
    })
    return () => rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    running = []
    lan = await Lan.make('both')
    const at = ['--host', addressOn('third'), '--port', String(serverPort)]
    await thru('third', 'serve', ...at).match(/ws:\S+/)
  })
  afterEach(async () => {
    await Promise.all(running.map((program) => program.stop('SIGKILL')))
    await lan.remove()
  })

  function thru(computer: Computer, ...args: readonly string[]): Thru {
    const env = { XDG_STATE_HOME: join(folder, `${computer}-state`), XDG_CONFIG_HOME: folder }
    const program = new Thru(args, { within: lan.within(computer), env })
    running.push(program)
    return program
  }

  async function begin(options: readonly string[] = []) {
    const server = ['--server-url', `ws://${addressOn('third')}:${serverPort}`]
    const sender = thru('host', 'host', join(folder, 'src'), '--json', ...server, ...options)
    const code = String((await sender.line('code'))['code'])
    const out = mkdtempSync(join(folder, 'dst-'))
    const receiver = thru('join', 'join', code, ...server, '--out', out, '--yes', '--json')
    return { sender, receiver, out }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  /** Expects all data over the original connection. */
  async function expectArrival({ sender, receiver, out }: Begun) {
    const received = await receiver.ended
    expect(received.stdout + received.stderr).toContain('"done"')
    expect(hashTree(join(out, 'src'))).toEqual(hashTree(join(folder, 'src')))
    expect(linesOf(received.stdout).filter(({ type }) => type === 'reconnecting')).toEqual([])
    await sender.line('done')
    return { received, sent: await sender.stop() }
  }

  const largestDatagram = ({ stdout }: Ending) =>
    linesOf(stdout)
      .filter(({ type }) => type === 'statistics')
      .at(-1)?.['datagramBytes']
  const lastTransport = (ending: Ending) => routesOf(ending).at(-1)?.transport

  const byTcp = async ({ sender, receiver }: Begun) => {
    for (const side of [sender, receiver]) {
      const types = ['connected', 'route-changed']
      await Promise.any(types.map((type) => side.lineWhere(type, isOfTcp)))
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
    } while (!ends.every((end) => lastTransport(end) === 'tcp'))
  })

  it('a lossy network is left to UDP', async () => {
    lan.loseTcp('join')
    const { received, sent } = await expectArrival(await begin(slowly))
    expect(routesOf(sent).map(({ transport }) => transport)).toContain('tcp')
    expect([received, sent].map(lastTransport)).toEqual(['udp', 'udp'])
    expect(largestDatagram(sent)).toBe(datagramBytes.udp)
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

  /** Blocks these protocols for `ms`. */
  async function interrupt(protocols: readonly ('tcp' | 'udp')[], ms: number): Promise<void> {
    const each = protocols.flatMap((protocol) => sides.map((side) => ({ side, protocol })))
    for (const { side, protocol } of each) lan.refuse(side, protocol)
    await pause(ms)
    for (const { side, protocol } of each) lan.admit(side, protocol)
  }

  it('an outage of less than two seconds costs no connection', { tags: ['full'] }, async () => {
    const transfer = await begin(slowly)
    await byTcp(transfer)
    await interrupt(['tcp', 'udp'], 1700)
    await expectArrival(transfer)
  })

  it('datagrams stay large when TCP pauses for a moment', { tags: ['full'] }, async () => {
    const transfer = await begin(slowly)
    await byTcp(transfer)
    await interrupt(['tcp'], 300)
    const { received, sent } = await expectArrival(transfer)
    expect([received, sent].map(lastTransport)).toEqual(['tcp', 'tcp'])
    expect(largestDatagram(sent)).toBe(datagramBytes.tcp)
  })

  it.each(sides)(
    'the other side learns immediately that the %s ends, even if TCP is blocked',
    { tags: ['full'] },
    async (side) => {
      const transfer = await begin(slowly)
      await byTcp(transfer)
      for (const each of sides) lan.refuse(each, 'tcp')
      const [leaver, other] =
        side === 'host'
          ? [transfer.sender, transfer.receiver]
          : [transfer.receiver, transfer.sender]
      const leftAtMs = performance.now()
      await leaver.stop()
      const { code } = await other.line('error')
      expect(code).toBe(side === 'host' ? 'E_STOPPED' : 'E_CANCELLED')
      expect(performance.now() - leftAtMs).toBeLessThan(gapLimitMs)
    },
  )

  it("a stranger's datagrams don't end a connection", { tags: ['full'] }, async () => {
    const transfer = await begin(slowly)
    await byTcp(transfer)
    // Pauses the receiver's TCP data for a moment.
    transfer.receiver.signal('SIGSTOP')
    await pause(1000)
    lan.sendStray('third', 'host')
    await pause(100)
    transfer.receiver.signal('SIGCONT')
    const { received, sent } = await expectArrival(transfer)
    expect([received, sent].map(lastTransport)).toEqual(['tcp', 'tcp'])
  })

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
    expect([received, sent].map(lastTransport)).toEqual(['udp', 'udp'])
    expect(largestDatagram(sent)).toBe(datagramBytes.udp)
  })
})
