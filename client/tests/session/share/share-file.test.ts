import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { rememberedShareSchema } from '#client/state/remembered-share'
import { ShareFile } from '#client/state/share-file'
import { decodeList } from '#client/state/state-file'
import { ManualClock } from '#client/testing/manual-clock'
import { folderOfTest } from '#client/testing/temporary-folder'
import { defaultShareOptions } from '#shared/settings/share-options'

let folder: string
let directory: string
beforeEach(() => {
  folder = folderOfTest()
  directory = join(folder, 'state')
})

const share = (number: number) => ({
  id: number.toString(16).padStart(32, '0'),
  ...{ title: `share ${number}`, items: [{ kind: 'path', path: '/in/a' } as const] },
  ...{
    options: defaultShareOptions,
    rules: {},
    texts: 0,
    paused: false,
    to: [],
    server: null,
    nameplate: '4821',
  },
  ...{
    words: 'apple-kayak-onion',
    ownerKey: new NameplateOwner().key,
    endsAtMs: 1e15,
    codeEnd: null,
  },
  ...{ admission: null, returning: [], lastSeenMs: 0 },
})

const shareFile = () => new ShareFile({ directory, clock: new ManualClock() })

const titles = (): readonly string[] =>
  (
    JSON.parse(readFileSync(join(directory, 'shares.json'), 'utf8')) as {
      shares: { title: string }[]
    }
  ).shares.map(({ title }) => title)

describe('the file of shares', () => {
  it('omits a share with an invalid key of its nameplate', () => {
    const kept = { ...share(1), keeper: null, host: '' }
    const shares = [kept, { ...kept, ownerKey: 'A'.repeat(64) }]
    const decoded = decodeList(shares, 9, rememberedShareSchema)
    expect(decoded).toMatchObject({ value: [{ title: 'share 1' }], isComplete: false })
  })

  it('includes failed writes with the next change, or at the end', async () => {
    const file = shareFile()
    void file.note(share(1))
    void file.note(share(2))
    await file.flushed()
    rmSync(directory, { recursive: true })
    writeFileSync(directory, 'in the way')
    file.remove(share(1).id)
    void file.note(share(3))
    await file.flushed()
    void file.note(share(4))
    await file.flushed()
    rmSync(directory)
    void file.note(share(5))
    await file.flushed()
    expect(titles()).toEqual(['share 3', 'share 4', 'share 5'])

    rmSync(directory, { recursive: true })
    writeFileSync(directory, 'in the way')
    void file.note(share(6))
    await file.flushed()
    rmSync(directory)
    await file.flushed()
    expect(titles()).toEqual(['share 6'])
  })
})
