import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashTree, writeTree } from '../tree'
import { homeAddress } from './network'
import { openScene, scene } from './opened-scene'
import { peakMiB, routesOf } from './scene'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')('between two computers', () => {
  openScene()

  it('a folder with every kind of name and size arrives directly and byte for byte', async () => {
    const small = Array.from({ length: 2000 }, (_, index): [string, string] => [
      `album/small/${index % 40}/${index}.txt`,
      `number ${index} `.repeat(index % 300),
    ])
    writeTree(scene.at('src'), {
      'album/large.bin': randomBytes(64 * MiB),
      'album/Übersicht/日本語 ノート.md': '# 夏',
      'album/Übersicht/beach 🏖.raw': randomBytes(3 * MiB + 1),
      'album/empty.txt': '',
      'album/nothing inside': null,
      ...Object.fromEntries(small),
    })
    const { sent, received } = await scene.transfer([scene.at('src', 'album')], scene.at('dst'))
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(scene.at('dst'))).toEqual(hashTree(scene.at('src')))
    const route = { kind: 'direct', family: 4, transport: 'udp', relay: '' }
    expect(routesOf(received)).toMatchObject([route])
    expect(routesOf(sent)).toMatchObject([route])
    expect(routesOf(received)[0]?.remote).toContain(homeAddress.host)
    expect(routesOf(sent)[0]?.remote).toContain(homeAddress.join)
    expect(Math.max(peakMiB(sent), peakMiB(received))).toBeLessThan(200)
  })

  it('connects while the systems still have tentative addresses', async () => {
    const { network } = scene
    for (const side of ['host', 'join'] as const) await network.tryAddress(side)
    writeTree(scene.at('early'), { 'early.txt': 'soon' })
    const { sent, received } = await scene.transfer([scene.at('early')], scene.at('dst-early'))
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(scene.at('dst-early', 'early'))).toEqual(hashTree(scene.at('early')))
    expect([network.isTryingAddress('host'), network.isTryingAddress('join')]).toEqual([true, true])
  })
})
