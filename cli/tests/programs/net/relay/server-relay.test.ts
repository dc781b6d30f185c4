/** Homes that can reach only the signaling server, by TCP, which then relays transfers itself. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf } from '../../thru'
import { hashTree, writeTree } from '../../tree'
import { Authority } from '../authority'
import { secondServerAddress, serverAddress } from '../network'
import { openScene, scene } from '../opened-scene'
import { isLong } from '../patience'
import { allProxyPorts, missingProxy, proxyOption, startProxies } from '../real-proxy'
import { routesOf } from '../scene'

const MiB = 1024 * 1024
const sides = ['host', 'join'] as const
const tlsFront = fileURLToPath(new URL('../tls-front.mjs', import.meta.url))

describe.skipIf(process.platform !== 'linux')('a server relay over the signaling server', () => {
  openScene()
  beforeAll(() => {
    writeTree(scene.at('src'), { 'large.bin': randomBytes(4 * MiB), 'empty.txt': '' })
  })
  beforeEach(async () => {
    for (const side of sides) scene.network.setRouter(side, 'only-443')
    await scene.restartServer(['--server-relays', '4', '--node-name', 'node-1'])
  })

  /** The routes of a transfer with these options, at both ends. */
  async function routes(name: string, options: readonly string[] = []) {
    const out = scene.at(name)
    const { sent, received } = await scene.transfer([scene.at('src')], out, options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    return [routesOf(sent).at(-1), routesOf(received).at(-1)]
  }

  it('TURN-10: carries a transfer if no other route works', async () => {
    for (const route of await routes('plain')) {
      expect(route).toMatchObject({
        ...{ kind: 'relay', transport: 'tcp', serverRelay: true },
        relay: `${serverAddress}:443`,
      })
    }
  })

  it('TURN-10: uses TLS if signaling does', { tags: ['full'] }, async () => {
    const authority = new Authority(scene.at('trusted'))
    const { certificate, key } = authority.issue(`IP:${secondServerAddress}`)
    const front = `${secondServerAddress}:443`
    const [program = '', ...args] = [
      ...scene.network.within('internet'),
      ...[process.execPath, tlsFront, secondServerAddress, '443', certificate, key],
      ...['443', serverAddress],
    ]
    const running = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(running.stdout, 'data')
    scene.trust(authority.file)
    const options = ['--server-url', `wss://${secondServerAddress}`]
    for (const route of await routes('tls', options)) {
      expect(route).toMatchObject({ kind: 'relay', serverRelay: true, relay: front })
    }
  })

  it.each(['tinyproxy', 'microsocks'] as const)(
    'TURN-10: goes through %s',
    { tags: ['full'] },
    async (program) => {
      const missing = missingProxy(program)
      if (missing !== null) return
      await startProxies(scene.network, program, scene.folder)
      for (const side of sides) scene.network.setPorts(side, allProxyPorts, false)
      for (const route of await routes(program, proxyOption(program))) {
        expect(route).toMatchObject({
          kind: 'relay',
          serverRelay: true,
          relay: `${serverAddress}:443`,
        })
      }
    },
  )

  it(
    'TURN-10: ends with a clear error at the limit of the server',
    { tags: ['full'] },
    async () => {
      await scene.restartServer(['--server-relays', '4', '--server-relay-bytes', String(2 * MiB)])
      const { sender, code } = await scene.hostWithCode([scene.at('src')])
      const received = await scene.join(code, scene.at('quota')).ended
      expect(linesOf(received.stdout).at(-1)).toMatchObject({
        type: 'error',
        code: 'E_RELAY_QUOTA',
      })
      expect(received.exitCode).toBe(5)
      await sender.stop()
    },
  )

  it.skipIf(!isLong)('is unavailable if the server has none', async () => {
    await scene.restartServer()
    const { sender, code } = await scene.hostWithCode([scene.at('src')])
    const received = await scene.join(code, scene.at('none')).ended
    expect(linesOf(received.stdout).at(-1)).toMatchObject({ type: 'error', code: 'E_NO_ROUTE' })
    await sender.stop()
  })
})
