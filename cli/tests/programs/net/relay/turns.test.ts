/** Relays over TLS at port 443 when all other ports are blocked: coturn with test certificates. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf } from '../../thru'
import { hashTree, writeTree } from '../../tree'
import { Authority, type Certificate } from '../authority'
import { secondServerAddress } from '../network'
import { openScene, scene } from '../opened-scene'
import { routesOf } from '../scene'
import { startTurnServer, stopTurnServer, tlsOption } from '../turn-server'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('a relay over TLS', () => {
  let trusted: Authority

  openScene()
  beforeAll(() => {
    trusted = new Authority(scene.at('trusted'))
    writeTree(scene.at('src'), { 'large.bin': randomBytes(8 * MiB), 'empty.txt': '' })
  })
  beforeEach(() => {
    scene.trust(trusted.file)
    for (const side of ['host', 'join'] as const) scene.network.setRouter(side, 'only-443')
  })
  afterEach(async () => {
    await scene.stopPrograms()
    await stopTurnServer()
  })

  async function serve(certificate: Certificate): Promise<void> {
    const folder = scene.at(`turn-${randomBytes(4).toString('hex')}`)
    mkdirSync(folder)
    const at = { address: secondServerAddress, port: 443, tls: certificate } as const
    await startTurnServer(scene.network, folder, [], at)
  }

  it('carries a transfer of two homes that can only reach port 443 by TCP', async () => {
    await serve(trusted.issue(`IP:${secondServerAddress}`))
    const { sent, received } = await scene.transfer([scene.at('src')], scene.at('dst'), tlsOption)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(scene.at('dst', 'src'))).toEqual(hashTree(scene.at('src')))
    for (const route of [routesOf(sent).at(-1), routesOf(received).at(-1)]) {
      expect(route).toMatchObject({
        ...{ kind: 'relay', transport: 'tcp', relay: `${secondServerAddress}:443` },
      })
    }
  })

  it.each([
    ['another name', () => trusted.issue('DNS:relay.example'), 'is of another name'],
    [
      'an end in the past',
      () => trusted.issue(`IP:${secondServerAddress}`, true),
      'its certificate has expired',
    ],
    [
      'an unknown authority',
      () => new Authority(scene.at('unknown')).issue(`IP:${secondServerAddress}`),
      'nobody that this computer trusts',
    ],
  ])('is refused with %s, which people see', { tags: ['full'] }, async (_, certificate, words) => {
    await serve(certificate())
    const { sender, code } = await scene.hostWithCode([scene.at('src')], tlsOption)
    const { exitCode, stdout } = await scene.join(code, scene.at('none'), tlsOption).ended
    expect(exitCode).toBe(5)
    const error = linesOf(stdout).at(-1)
    expect(error).toMatchObject({ type: 'error', code: 'E_RELAY_IDENTITY' })
    expect(JSON.stringify(error)).toContain(words)
    await sender.stop()
  })
})
