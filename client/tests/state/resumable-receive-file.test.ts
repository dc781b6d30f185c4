import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ResumableReceiveFile } from '#client/state/resumable-receive-file'
import { stateDirectory } from '#client/state/state-directory'
import { folderOfTest } from '#client/testing/temporary-folder'
import { limits } from '#shared/limits'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import type { TransferId } from '#shared/state/app-state'
import type { ResumableReceiveRecord } from '#shared/state/resumable-receive-record'

let folder: string
let path: string
beforeEach(() => {
  folder = join(folderOfTest(), 'state')
  path = join(folder, 'transfers.json')
})

const entry = (number: number): ResumableReceiveRecord => ({
  transfer: number.toString(16).padStart(32, '0') as TransferId,
  ...{ title: 'photos', from: 'Mina', directory: '/d', bytes: 1, totalBytes: 2 },
  ...{ options: defaultReceiveOptions, selection: selectAll, lastSeenMs: number },
  changes: [{ patterns: ['a'], wanted: false }],
  resumeKey: null,
})

/** A file with its first entry. */
async function fileWithOne(onError?: ConstructorParameters<typeof ResumableReceiveFile>[1]) {
  const file = new ResumableReceiveFile(folder, onError)
  void file.note(entry(1))
  await file.flushed()
  return file
}

describe('the file of unfinished receives', () => {
  it('is readable by this account only, and contains its entries', async () => {
    const file = new ResumableReceiveFile(folder)
    expect(file.read()).toEqual([])
    void file.note(entry(1))
    void file.note(entry(2))
    void file.note({ ...entry(1), bytes: 2 })
    await file.flushed()
    expect(new ResumableReceiveFile(folder).read()).toEqual([{ ...entry(1), bytes: 2 }, entry(2)])
    expect(readdirSync(folder)).toEqual(['transfers.json'])
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }
  })

  it('keeps entries that another program added meanwhile', async () => {
    const [one, other] = [new ResumableReceiveFile(folder), new ResumableReceiveFile(folder)]
    void one.note(entry(1))
    await one.flushed()
    void other.note(entry(2))
    await other.flushed()
    one.remove(new Set([entry(1).transfer]))
    await one.flushed()
    expect(one.read()).toEqual([entry(2)])
  })

  it('keeps a limited number, the newest', async () => {
    const file = new ResumableReceiveFile(folder)
    const most = limits.resumableKept
    const list = Array.from({ length: most }, (_, index) => entry(index + 1))
    void file.note(entry(0))
    await file.flushed()
    writeFileSync(path, JSON.stringify({ version: 1, transfers: list }))
    void file.note(entry(999))
    await file.flushed()
    expect(file.read()).toHaveLength(most)
    expect(file.read()[0]).toEqual(entry(999))
    expect(file.read().at(-1)).toEqual(entry(most - 1))
  })

  it('CFG-01 that is invalid is reported, moved aside and begun anew', async () => {
    const errors: string[] = []
    const file = await fileWithOne(({ kind }) => errors.push(kind))
    writeFileSync(path, '{"version":1,')
    expect(file.read()).toEqual([])
    void file.note(entry(2))
    await file.flushed()
    expect(file.read()).toEqual([entry(2)])
    expect(errors).toEqual(['damaged'])
    expect(readdirSync(folder).filter((name) => name.includes('.bad-'))).toHaveLength(1)
  })

  it.each([
    ['a wrong number', { bytes: 'many' }, { bytes: 0 }],
    [
      'a wrong choice',
      { options: { ...defaultReceiveOptions, conflict: 'x' } },
      { options: { ...defaultReceiveOptions, conflict: 'keep-both' as const } },
    ],
    ['a wrong key', { resumeKey: { nameplate: '1', key: 'k', server: null } }, {}],
  ])('CFG-03 with %s uses the default there', async (_what, wrong, right) => {
    const file = await fileWithOne()
    writeFileSync(path, JSON.stringify({ version: 1, transfers: [{ ...entry(1), ...wrong }] }))
    expect(file.read()).toEqual([{ ...entry(1), ...right }])
  })

  it.each([{ transfer: 'x' }, { ...entry(3), selection: { only: 1 } }, 7])(
    'CFG-03 omits %j and keeps the others',
    async (wrong) => {
      const file = await fileWithOne()
      writeFileSync(path, JSON.stringify({ version: 1, transfers: [wrong, entry(1)] }))
      expect(file.read()).toEqual([entry(1)])
    },
  )

  it('CFG-03 keeps unknown keys', async () => {
    const file = await fileWithOne()
    const colourful = { ...entry(1), colour: 'red' }
    writeFileSync(path, JSON.stringify({ version: 1, transfers: [colourful], more: 1 }))
    void file.note(entry(2))
    await file.flushed()
    const text = readFileSync(path, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ more: 1, transfers: [{}, { colour: 'red' }] })
  })

  it('that cannot be written costs only the entry', async () => {
    writeFileSync(folder, 'a file in its place')
    const file = await fileWithOne()
    expect(file.read()).toEqual([])
  })
})

describe('the state directory', () => {
  it('follows the convention of each system', () => {
    expect(stateDirectory('linux', {}, '/home/m')).toBe(join('/home/m/.local/state/thruflux'))
    expect(stateDirectory('linux', { XDG_STATE_HOME: '/s' }, '/h')).toBe(join('/s/thruflux'))
    expect(stateDirectory('linux', { XDG_STATE_HOME: '' }, '/h')).toBe(
      join('/h/.local/state/thruflux'),
    )
    expect(stateDirectory('darwin', {}, '/Users/m')).toBe(
      join('/Users/m/Library/Application Support/Thruflux'),
    )
    expect(stateDirectory('win32', { LOCALAPPDATA: 'C:/L' }, 'C:/m')).toBe(join('C:/L/Thruflux'))
  })
})
