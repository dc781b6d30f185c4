/**
 * Server names when DNS fails.
 *
 * @module-tag full
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { serverAddress } from './network'
import { openScene, scene } from './opened-scene'
import { isLong } from './patience'
import { ip } from './places'

const program = fileURLToPath(new URL('dns-server.cjs', import.meta.url))

/** The content of a system file; empty if it is missing. */
const system = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** This computer's DNS server; in a test home, another machine has its address. */
const [, askedAddress = ''] =
  /^nameserver\s+(\d+(?:\.\d+){3})/m.exec(system('/etc/resolv.conf')) ?? []

/** False if a resolver other than the C library's would query from outside the home. */
const asksItself =
  askedAddress !== '' && !/^hosts:.*\bresolve\b/m.test(system('/etc/nsswitch.conf'))

const byName = ['--server-url', 'ws://meet.example.org:443']

describe.skipIf(!asksItself)('NET-16: a server with a host name', () => {
  let dns: ChildProcess | null = null

  openScene()
  beforeAll(() => {
    writeTree(scene.at('src'), { 'a.txt': 'a' })
    for (const side of ['host', 'join'] as const) ip(side, `address add ${askedAddress}/32 dev lo`)
  })
  afterEach(async () => {
    await endDns()
    await scene.stopPrograms()
  })

  async function startDns(side: 'host' | 'join', kind: string): Promise<void> {
    const [first = '', ...rest] = [
      ...scene.network.within(side),
      ...[process.execPath, program, askedAddress, kind, serverAddress],
    ]
    dns = spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
    if (dns.stdout !== null) await once(dns.stdout, 'data')
  }

  async function endDns(): Promise<void> {
    const ended = dns
    dns = null
    if (ended?.kill('SIGKILL') === true) await once(ended, 'close')
  }

  it.each(isLong ? ['failing', 'garbled', 'silent'] : ['silent'])(
    'is reported as unreachable with %s DNS',
    async (kind) => {
      await startDns('join', kind)
      const { exitCode, stdout } = await scene.join('4821-apple-kayak-onion', scene.at('none'), [
        ...byName,
        '--no-lan',
      ]).ended
      const error = linesOf(stdout).at(-1)
      expect(error).toMatchObject({ type: 'error', code: 'E_SERVER_UNREACHABLE' })
      expect(JSON.stringify(error)).toContain('meet.example.org')
      expect(exitCode).toBe(4)
    },
  )

  it('is found by a running share once DNS answers', async () => {
    await startDns('host', 'failing')
    const sender = scene.host([scene.at('src')], [...byName, '--no-lan'])
    expect((await sender.line('server'))['phase']).toBe('unreachable')
    await endDns()
    await startDns('host', 'right')
    const code = String((await sender.line('code'))['code'])
    const out = scene.at('out')
    expect((await scene.join(code, out).ended).exitCode).toBe(0)
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
  })
})
