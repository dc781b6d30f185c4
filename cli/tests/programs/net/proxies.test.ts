/** Homes whose TCP traffic must use a real proxy. */
import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { serverAddress } from './network'
import { openScene, scene } from './opened-scene'
import { allProxyPorts, known, missingProxy, proxyOption, startProxies } from './real-proxy'
import { routesOf } from './scene'
import { startTurnServer, turnOption } from './turn-server'

const programs = ['tinyproxy', 'microsocks'] as const
const sides = ['host', 'join'] as const

describe.skipIf(process.platform !== 'linux')('behind a real proxy', () => {
  openScene()
  beforeAll(async () => {
    for (const program of programs) {
      if (missingProxy(program) === null) await startProxies(scene.network, program, scene.folder)
    }
    writeTree(scene.at('src'), { 'large.bin': randomBytes(1024 * 1024), 'empty.txt': '' })
    await startTurnServer(scene.network, scene.folder)
  })
  beforeEach(() => {
    for (const side of sides) scene.network.setPorts(side, allProxyPorts, true)
  })

  async function routeOf(name: string, options: readonly string[]): Promise<string> {
    const out = scene.at(name)
    const { sent, received } = await scene.transfer([scene.at('src')], out, options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(`${out}/src`)).toEqual(hashTree(scene.at('src')))
    const route = routesOf(received).at(-1)
    return `${route?.kind ?? ''} ${route?.transport ?? ''}`
  }

  it('no server is reached without it', { tags: ['full'] }, async () => {
    const { exitCode, stdout } = await scene.doctor('join').ended
    expect(linesOf(stdout)).toContainEqual(
      expect.objectContaining({ name: 'server', state: 'failed' }),
    )
    expect(exitCode).toBe(4)
  })

  describe.each(programs)('%s', (program) => {
    const missing = missingProxy(program)

    it(
      'is reported by the doctor with its result and without a password',
      { tags: ['full'] },
      async ({ skip }) => {
        skip(missing !== null, missing ?? '')
        for (const [password, state, exitCode] of [
          [undefined, 'ok', 0],
          [known.password, 'ok', 0],
          ['guess', 'failed', 4],
        ] as const) {
          const option = proxyOption(program, password)
          const run = await scene.doctor('join', option).ended
          const check = linesOf(run.stdout).find(({ name }) => name === 'proxy')
          expect(check).toMatchObject({ state })
          expect(check?.['line']).toContain(serverAddress)
          expect(run.exitCode).toBe(exitCode)
          expect(run.stdout + run.stderr).not.toMatch(/guess|w0rd|dana/)
        }
      },
    )

    it('brings two computers together', async ({ skip }) => {
      skip(missing !== null, missing ?? '')
      expect(await routeOf(program, proxyOption(program))).toBe('direct udp')
    })

    it(
      'carries the transfer through a relay over TCP if nothing else gets out',
      { tags: ['full'] },
      async ({ skip }) => {
        skip(missing !== null, missing ?? '')
        for (const side of sides) scene.network.setPorts(side, allProxyPorts, false)
        for (const [name, password] of [
          ['plain', undefined],
          ['known', known.password],
        ] as const) {
          const options = [...turnOption('tcp'), ...proxyOption(program, password)]
          expect(await routeOf(`${program}-relay-${name}`, options)).toBe('relay tcp')
        }
      },
    )

    it('refuses a wrong password, which is reported but never repeated', async ({ skip }) => {
      skip(missing !== null, missing ?? '')
      const join = scene.join('4821-apple-kayak-onion', scene.at('none'), [
        ...proxyOption(program, 'guess'),
      ])
      const { exitCode, stdout, stderr } = await join.ended
      expect(linesOf(stdout).at(-1)).toMatchObject({ type: 'error', code: 'E_PROXY_AUTH' })
      expect(exitCode).toBe(4)
      expect(stdout + stderr).not.toMatch(/guess|dana/)
    })
  })
})
