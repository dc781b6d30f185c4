import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stateDirectory } from '#client/state-directory'
import { UnfinishedFile } from '#client/unfinished'
import type { TransferId, Unfinished } from '#shared/app-state'
import { limits } from '#shared/limits'
import { defaultReceiveOptions, selectAll } from '#shared/receive-options'

let folder: string
let path: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'thru-unfinished-')), 'state')
  path = join(folder, 'transfers.json')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const entry = (number: number): Unfinished => ({
  transfer: number.toString(16).padStart(32, '0') as TransferId,
  ...{ title: 'photos', from: 'Mina', directory: '/d', bytes: 1, totalBytes: 2 },
  ...{ options: defaultReceiveOptions, selection: selectAll, lastSeenMs: number },
  changes: [{ patterns: ['a'], wanted: false }],
})

describe('the file of unfinished receives', () => {
  it('is readable by this account only, and holds what was noted', async () => {
    const file = new UnfinishedFile(folder)
    expect(file.read()).toEqual([])
    file.note(entry(1))
    file.note(entry(2))
    file.note({ ...entry(1), bytes: 2 })
    await file.settled()
    expect(new UnfinishedFile(folder).read()).toEqual([{ ...entry(1), bytes: 2 }, entry(2)])
    expect(readdirSync(folder)).toEqual(['transfers.json'])
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }
  })

  it('keeps what another program noted meanwhile', async () => {
    const [one, other] = [new UnfinishedFile(folder), new UnfinishedFile(folder)]
    one.note(entry(1))
    await one.settled()
    other.note(entry(2))
    await other.settled()
    one.remove(new Set([entry(1).transfer]))
    await one.settled()
    expect(one.read()).toEqual([entry(2)])
  })

  it('keeps a bounded number, the newest', async () => {
    const file = new UnfinishedFile(folder)
    const most = limits.unfinishedKept
    const list = Array.from({ length: most }, (_, index) => entry(index + 1))
    file.note(entry(0))
    await file.settled()
    writeFileSync(path, JSON.stringify({ version: 1, transfers: list }))
    file.note(entry(999))
    await file.settled()
    expect(file.read()).toHaveLength(most)
    expect(file.read()[0]).toEqual(entry(999))
    expect(file.read().at(-1)).toEqual(entry(most - 1))
  })

  it.each([
    ['no JSON', '{"version":1,'],
    ['another version', '{"version":2,"transfers":[]}'],
    ['another shape', '{"version":1,"transfers":[{"transfer":"x"}]}'],
    ['too many', JSON.stringify({ version: 1, transfers: Array(201).fill(entry(1)) })],
    ['', ''],
  ])('with %s is moved aside and begun anew', async (_what, text) => {
    const file = new UnfinishedFile(folder)
    file.note(entry(1))
    await file.settled()
    writeFileSync(path, text)
    expect(file.read()).toEqual([])
    file.note(entry(2))
    await file.settled()
    expect(file.read()).toEqual([entry(2)])
    expect(readFileSync(`${path}.bad`, 'utf8')).toBe(text)
  })

  it('that can not be written costs nothing but the reminder', async () => {
    writeFileSync(folder, 'a file in its place')
    const file = new UnfinishedFile(folder)
    file.note(entry(1))
    await file.settled()
    expect(file.read()).toEqual([])
  })
})

describe('the state directory', () => {
  it('follows the custom of each system', () => {
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
