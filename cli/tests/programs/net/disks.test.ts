import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../thru'
import { hashTree, writeTree } from '../tree'
import { openScene, scene } from './opened-scene'

describe.skipIf(process.platform !== 'linux')('a disk of the receiver', () => {
  let source: ReturnType<typeof hashTree>

  openScene()
  beforeAll(() => {
    writeTree(scene.at('src', 'large'), { 'large.bin': randomBytes(24_000_000) })
    const files = Array.from({ length: 400 }, (_, index): [string, Buffer] => [
      `${index}.bin`,
      randomBytes(60_000),
    ])
    writeTree(scene.at('src', 'small'), Object.fromEntries(files))
    source = hashTree(scene.at('src'))
  })

  /** The end of receiving `folder` into `out`, at both ends; files that exist are complete. */
  async function failure(folder: string, out: string) {
    const { sent, received } = await scene.transfer([scene.at('src', folder)], out)
    expect(source).toMatchObject(hashTree(out))
    const [reported] = linesOf(sent.stdout).filter(({ type }) => type === 'error')
    const last = linesOf(received.stdout).at(-1)
    return { exitCode: received.exitCode, sender: reported?.['code'], receiver: last?.['code'] }
  }

  it.each(['large', 'small'])(
    'that has no room for %s files is an error before anything is written',
    async (folder) => {
      const out = scene.disk(`disk-for-${folder}`, 'size=8m')
      expect(await failure(folder, out)).toEqual({
        exitCode: 7,
        sender: 'E_DISK_FULL',
        receiver: 'E_DISK_FULL',
      })
    },
  )

  it('without room for a change is waited for, also resumed', { tags: ['full'] }, async () => {
    const out = scene.disk('disk-of-follower', 'size=8m')
    const site = scene.at('site')
    const copy = scene.at('disk-of-follower', 'site')
    writeTree(site, { 'index.html': 'one' })
    // The first round finds everything, and writes nothing.
    mkdirSync(copy)
    copyFileSync(scene.at('site', 'index.html'), `${copy}/index.html`)
    const { atime, mtime } = statSync(scene.at('site', 'index.html'))
    utimesSync(`${copy}/index.html`, atime, mtime)
    const { code } = await scene.hostWithCode([site], ['--watch'])
    const receiver = scene.join(code, out, ['--follow'])
    await receiver.line('in-step')
    writeFileSync(scene.at('large.bin'), randomBytes(24_000_000))
    renameSync(scene.at('large.bin'), scene.at('site', 'large.bin'))
    await receiver.lineWhere('flow', ({ kind }) => kind === 'disk-full')
    expect((await receiver.stop('SIGINT')).exitCode).toBe(130)
    const resumed = scene.resume()
    await resumed.lineWhere('flow', ({ kind }) => kind === 'disk-full')
    execFileSync('mount', ['-o', 'remount,size=64m', out])
    await resumed.lineWhere('in-step', ({ files }) => files === 2)
    expect(hashTree(copy)).toEqual(hashTree(site))
  })

  it('that can only be read is an error before anything is connected', async () => {
    const { sender, code } = await scene.hostWithCode([scene.at('src', 'small')])
    const received = await scene.join(code, scene.disk('read-only-disk', 'ro')).ended
    expect(received.exitCode).toBe(7)
    expect(linesOf(received.stdout)).toMatchObject([{ code: 'E_TARGET_NOT_WRITABLE' }])
    const { stdout } = await sender.stop()
    expect(linesOf(stdout).map(({ type }) => type)).not.toContain('connected')
  })
})
