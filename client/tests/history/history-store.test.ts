import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Database } from 'node-sqlite3-wasm'
import { beforeEach, describe, expect, it } from 'vitest'
import { HistoryStore } from '#client/history/history-store'
import { temporaryFolder } from '#client/testing/temporary-folder'
import type { TransferId } from '#shared/state/app-state'
import type { HistoryFilter, NewHistoryEntry } from '#shared/state/history'
import type { StorageError } from '#shared/state/storage-error'
import { allNewInHistory } from '#shared/testing/figures'

const at = temporaryFolder()
let folder: string
let path: string
let errors: StorageError[]
beforeEach(() => {
  folder = at('state')
  path = at('state', 'history.db')
  errors = []
})

const newStore = (most?: number, maxBytes?: number): HistoryStore =>
  new HistoryStore(
    { directory: folder, onError: (error) => errors.push(error) },
    ...([most, maxBytes] as const),
  )

const entry = (number: number, more: Partial<NewHistoryEntry> = {}): NewHistoryEntry => ({
  direction: 'received',
  transfer: number.toString(16).padStart(32, '0') as TransferId,
  ...{ endedAtMs: number, title: `item ${number}`, person: 'Mina', contact: null },
  ...{
    files: 1,
    bytes: 2,
    durationMs: 3,
    rate: 4,
    route: 'direct',
    ...allNewInHistory,
    outcome: 'done',
  },
  ...{
    texts: 0,
    error: null,
    problemCount: 0,
    problems: [],
    folder: '/in',
    target: '/in/a',
    paths: [],
  },
  ...more,
})

const titles = async (store: HistoryStore, text = '', filter: HistoryFilter = 'all') => {
  const { entries } = await store.list({ text, filter, offset: 0, limit: 100 })
  return entries.map(({ title }) => title)
}

describe('the history', () => {
  it('has no file before the first transfer', async () => {
    expect(await titles(newStore())).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  it('is kept for the next program, and for this account only', async () => {
    const name = 'caf\u00e9 \udc80 "quoted" \' %'
    const whole = entry(1, { title: 'a', paths: [`/${name}`], direction: 'sent' })
    expect(await newStore().add([whole])).toBe(true)
    const { entries, total } = await newStore().list({
      ...{ text: '', filter: 'all', offset: 0, limit: 10 },
    })
    expect(total).toBe(1)
    expect(entries).toEqual([{ ...whole, id: 1 }])
    expect(readdirSync(folder)).toEqual(['history.db'])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(errors).toEqual([])
  })

  it('lists the newest first, in pages, by any word and filter', async () => {
    const store = newStore()
    await store.add([
      entry(1, { title: 'Straße', person: 'Jonas' }),
      entry(2, { direction: 'sent', paths: ['/home/mina/Kyoto'] }),
      entry(3, { problemCount: 1 }),
      entry(4, { outcome: 'failed', error: 'E_DISK_FULL' }),
    ])
    expect(await titles(store)).toEqual(['item 4', 'item 3', 'item 2', 'Straße'])
    expect(await titles(store, 'STRASSE')).toEqual([])
    expect(await titles(store, 'straße')).toEqual(['Straße'])
    expect(await titles(store, 'jonas')).toEqual(['Straße'])
    expect(await titles(store, 'kyoto')).toEqual(['item 2'])
    expect(await titles(store, "%' OR 1=1 --")).toEqual([])
    expect(await titles(store, '', 'sent')).toEqual(['item 2'])
    expect(await titles(store, '', 'problems')).toEqual(['item 4', 'item 3'])
    const page = await store.list({ text: '', filter: 'all', offset: 1, limit: 2 })
    expect(page.total).toBe(4)
    expect(page.entries.map(({ title }) => title)).toEqual(['item 3', 'item 2'])
  })

  it('has one entry for a resumed transfer, and one for each of its ends', async () => {
    const store = newStore()
    await store.add([entry(1, { outcome: 'interrupted', endedAtMs: 1 })])
    await store.add([entry(1, { endedAtMs: 9 }), entry(1, { direction: 'sent' })])
    const { entries } = await store.list({ text: '', filter: 'received', offset: 0, limit: 9 })
    expect(entries).toMatchObject([{ outcome: 'done', endedAtMs: 9 }])
    expect(await titles(store)).toHaveLength(2)
  })

  it('keeps a limited number', async () => {
    const store = newStore(3)
    await store.add(Array.from({ length: 9 }, (_, index) => entry(index + 1)))
    expect(await titles(store)).toEqual(['item 9', 'item 8', 'item 7'])
  })

  it('keeps fewer entries that take more space, the newest, and stays usable', async () => {
    const store = newStore(undefined, 1_000_000)
    const paths = Array.from({ length: 1000 }, (_, index) => `/home/mina/${'p'.repeat(90)}${index}`)
    const many = Array.from({ length: 20 }, (_, index) => entry(index + 1, { paths }))
    await store.add(many)
    await store.add([entry(21)])
    const kept = await titles(store)
    expect(kept.length).toBeLessThan(6)
    expect(kept.slice(0, 2)).toEqual(['item 21', 'item 20'])
    expect(await newStore(undefined, 1).add([entry(22, { paths })])).toBe(true)
    expect(await titles(store)).toEqual(['item 22'])
    expect(errors).toEqual([])
  })

  it('finds the places of all entries of a page in one read', async () => {
    const store = newStore()
    await store.add([entry(1), entry(2, { target: null }), entry(3, { target: '/in/b' })])
    const page = Array.from({ length: 200 }, (_, index) => index + 1)
    expect([...(await store.targets(page))]).toEqual([
      [1, '/in/a'],
      [3, '/in/b'],
    ])
    expect(await store.targets([])).toEqual(new Map())
  })

  it('overwrites removed entries on disk', async () => {
    const store = newStore()
    await store.add([entry(1, { title: 'private-one' }), entry(2, { title: 'private-two' })])
    expect(await store.remove(1)).toBe(true)
    expect(await store.find(1)).toBeNull()
    expect(await titles(store)).toEqual(['private-two'])
    expect(readFileSync(path, 'latin1')).not.toContain('private-one')
    await store.remove(null)
    expect(await titles(store)).toEqual([])
    expect(readFileSync(path, 'latin1')).not.toContain('private')
  })
})

describe('the file of the history', () => {
  it('is shared by several programs', async () => {
    const stores = [newStore(), newStore(), newStore()]
    await Promise.all(stores.map((store, index) => store.add([entry(index + 1)])))
    expect(await titles(newStore())).toHaveLength(3)
    expect(errors).toEqual([])
  })

  it('is usable after a program that was killed while it wrote', async () => {
    await newStore().add([entry(1)])
    mkdirSync(`${path}.lock`)
    expect(await titles(newStore())).toEqual(['item 1'])
    expect(errors).toEqual([])
  })

  it('is set aside when it is not a database, and begun anew', async () => {
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(path, 'nonsense'.repeat(1000))
    expect(await newStore().add([entry(1)])).toBe(true)
    expect(errors).toMatchObject([{ kind: 'damaged', file: path }])
    expect(readdirSync(folder).filter((name) => name.includes('.bad-'))).toHaveLength(1)
    expect(await titles(newStore())).toEqual(['item 1'])
  })

  it('is set aside when a part of it is damaged', async () => {
    await newStore().add(Array.from({ length: 200 }, (_, index) => entry(index + 1)))
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096, 3 * 4096)
    writeFileSync(path, bytes)
    expect(await newStore().add([entry(1)])).toBe(true)
    expect(errors).toMatchObject([{ kind: 'damaged' }])
  })

  it('stays as it is when a newer version wrote it', async () => {
    await newStore().add([entry(1)])
    const database = new Database(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    const before = readFileSync(path)
    const store = newStore()
    expect(await store.add([entry(2)])).toBe(false)
    expect(await titles(store)).toEqual([])
    expect(readFileSync(path)).toEqual(before)
    expect(errors).toMatchObject([{ kind: 'newer' }])
  })

  it('is never written through a link', async () => {
    mkdirSync(folder, { mode: 0o700 })
    const elsewhere = at('elsewhere')
    writeFileSync(elsewhere, '')
    symlinkSync(elsewhere, path)
    expect(await newStore().add([entry(1)])).toBe(false)
    expect(readFileSync(elsewhere, 'utf8')).toBe('')
    expect(errors).toMatchObject([{ kind: 'unsafe' }])
  })

  it('reports once that it cannot be written', async () => {
    writeFileSync(folder, 'a file in the place of the folder')
    const store = newStore()
    expect(await store.add([entry(1)])).toBe(false)
    expect(await store.add([entry(2)])).toBe(false)
    expect(errors).toHaveLength(1)
  })

  it('omits an invalid row', async () => {
    await newStore().add([entry(1), entry(2)])
    const database = new Database(path)
    database.run('UPDATE transfers SET entry = \'{"id":0}\' WHERE id = 1')
    database.close()
    expect(await titles(newStore())).toEqual(['item 2'])
  })
})
