import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import type { Receive } from '#shared/state/app-state'
import { receivedItem } from '../main/received-item'

let folder: string

beforeEach(() => {
  folder = realpathSync(folderOfTest())
})

const item = (name: string, kind = 'file') => ({ id: 0, name, kind, files: 1, bytes: 1 })

const finished = (items: readonly object[], more: object = {}): Receive =>
  ({
    ...{ phase: 'done', directory: folder, mappedCount: 0, outcome: { renamed: 0 } },
    ...{ items, mappedNames: [], ...more },
  }) as unknown as Receive

describe('the only received item', () => {
  it('is a file or a folder in the folder of the receive', async () => {
    writeFileSync(join(folder, 'a.mov'), '')
    mkdirSync(join(folder, 'photos'))
    expect(await receivedItem(finished([item('a.mov')]))).toBe(join(folder, 'a.mov'))
    expect(await receivedItem(finished([item('photos', 'folder')]))).toBe(join(folder, 'photos'))
  })

  it.each(['../secret', '..', '.', '', 'a/b', 'a\\b', 'a\0b', 'caf\udce9'])(
    'is rejected under the name %j',
    async (name) => {
      writeFileSync(join(folder, 'b'), '')
      expect(await receivedItem(finished([item(name)]))).toBeNull()
    },
  )

  it('is rejected if it is a link, or has changed its type', async () => {
    symlinkSync('/etc/passwd', join(folder, 'link.txt'))
    mkdirSync(join(folder, 'now-a-folder'))
    expect(await receivedItem(finished([item('link.txt')]))).toBeNull()
    expect(await receivedItem(finished([item('now-a-folder')]))).toBeNull()
    expect(await receivedItem(finished([item('gone')]))).toBeNull()
  })

  it('is none for several items, while running, or after renaming', async () => {
    writeFileSync(join(folder, 'a'), '')
    expect(await receivedItem(finished([item('a'), item('b')]))).toBeNull()
    expect(await receivedItem(finished([item('a')], { phase: 'receiving' }))).toBeNull()
    expect(await receivedItem(finished([item('a')], { mappedCount: 1 }))).toBeNull()
    expect(await receivedItem(finished([item('a')], { outcome: { renamed: 1 } }))).toBeNull()
  })

  it('has the name that the engine reports', async () => {
    writeFileSync(join(folder, 'b'), '')
    const named = (writtenAs: string) => ({
      mappedCount: 1,
      mappedNames: [{ path: 'a', writtenAs }],
    })
    expect(await receivedItem(finished([item('a')], named('b')))).toBe(join(folder, 'b'))
    expect(await receivedItem(finished([item('a')], named('../b')))).toBeNull()
  })
})
