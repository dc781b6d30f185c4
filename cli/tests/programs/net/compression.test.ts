import { describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { openScene, scene } from './opened-scene'
import { startTurnServer, turnOption } from './turn-server'

describe.skipIf(process.platform !== 'linux')('a folder of texts', () => {
  openScene()

  it('is compressed on a relayed route, and arrives byte for byte', async () => {
    await startTurnServer(scene.network, scene.folder)
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index * 7919} of a text\n`)
    const texts = Array.from({ length: 200 }, (_, index): [string, string] => [
      `texts/${index}.txt`,
      `${index}: ${lines.slice(index).join('')}`,
    ])
    writeTree(scene.at('src'), Object.fromEntries(texts))
    const options = [...turnOption(), '--relay', 'only']
    const { sent, received } = await scene.transfer([scene.at('src')], scene.at('dst'), options)
    expect([received.exitCode, sent.exitCode]).toEqual([0, 0])
    expect(hashTree(scene.at('dst', 'src'))).toEqual(hashTree(scene.at('src')))
    const bytes = texts.reduce((sum, [, text]) => sum + text.length, 0)
    for (const { stdout } of [sent, received]) {
      const last = linesOf(stdout)
        .filter(({ type }) => type === 'statistics')
        .at(-1)
      expect(Number(last?.['compressionSaved'])).toBeGreaterThan(bytes / 2)
    }
  })
})
