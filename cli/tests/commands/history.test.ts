import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { HistoryStore } from '#client/history/history-store'
import { folderOfTest } from '#client/testing/temporary-folder'
import type { TransferId } from '#shared/state/app-state'
import type { NewHistoryEntry } from '#shared/state/history'
import { allNew } from '#shared/testing/figures'
import { history, type HistoryCall, type HistoryOptions } from '../../commands/history'
import { exitCodes } from '../../exit-codes'
import { JsonReporter } from '../../report/json-reporter'
import { PlainReporter } from '../../report/plain-reporter'
import { Paper } from '../paper'

let directory: string
beforeEach(() => void (directory = folderOfTest()))

const entry = (number: number, more: Partial<NewHistoryEntry> = {}): NewHistoryEntry => ({
  direction: 'received',
  transfer: number.toString(16).padStart(32, '0') as TransferId,
  ...{ endedAtMs: number * 60_000, title: `item ${number}`, person: 'Mina', contact: null },
  ...{
    files: 1,
    texts: 0,
    bytes: 2000,
    durationMs: 3000,
    rate: 0,
    route: 'direct',
    ...allNew,
    outcome: 'done',
  },
  ...{ error: null, problemCount: 0, problems: [], folder: '/in', target: '/in/a', paths: [] },
  ...more,
})

const keep = (...entries: readonly NewHistoryEntry[]) =>
  new HistoryStore({ directory, onError: () => undefined }).add(entries)

async function run(call: HistoryCall, options: HistoryOptions = {}, paper = new Paper()) {
  const reporter = options.json === true ? new JsonReporter(paper) : new PlainReporter(paper)
  const exitCode = await history(call, options, reporter, paper, directory)
  return { exitCode, printed: paper.printed, notes: paper.notes }
}

const list = { kind: 'list' } as const

describe('thru history', () => {
  it("calls only received files verified, and doesn't count a text as a file", async () => {
    await keep(
      entry(1, { problemCount: 3, files: 0, bytes: 0 }),
      entry(2, { files: 2, identical: 2, identicalBytes: 2000, uncompared: 2 }),
      entry(3, {
        direction: 'sent',
        folder: null,
        paths: ['/a'],
        ...{ offeredFiles: 4, unwantedFiles: 3 },
      }),
      entry(4, { direction: 'sent', folder: null, title: 'Text' }),
      entry(5, { files: 0, bytes: 0, offeredFiles: 0 }),
      entry(6, { files: 3, texts: 1 }),
    )
    expect((await run(list)).printed).toEqual([
      '6  Received item 6 from Mina · 2 files and 1 text · 2.0 kB · verified · 3 s · /in · 1970-01-01 00:06 UTC',
      '5  Received item 5 from Mina · no files were offered · /in · 1970-01-01 00:05 UTC',
      '4  Sent Text to Mina · 2.0 kB · verified · 3 s · 1970-01-01 00:04 UTC',
      '3  Sent item 3 to Mina · 1 file · 2.0 kB · verified · 1 of 4 files, their choice · 3 s · 1970-01-01 00:03 UTC',
      '2  Received item 2 from Mina · nothing new · 2 files were already here (same size and time, not compared) · /in · 1970-01-01 00:02 UTC',
      '1  Received item 1 from Mina · 0 B · with 3 problems · 3 s · /in · 1970-01-01 00:01 UTC',
    ])
  })

  it('lists the newest first, in words and in JSON', async () => {
    await keep(
      entry(1),
      entry(2, {
        ...{ direction: 'sent', person: '', folder: null, target: null, rate: 9_000_000 },
        ...{ outcome: 'failed', error: 'E_PEER_GONE', problemCount: 2, files: 0 },
      }),
    )
    const { exitCode, printed } = await run(list)
    expect(exitCode).toBe(exitCodes.complete)
    expect(printed).toEqual([
      '2  Sent item 2 to someone · 2.0 kB · failed · 2 problems · 3 s · 9.0 MB/s · 1970-01-01 00:02 UTC',
      '1  Received item 1 from Mina · 1 file · 2.0 kB · verified · 3 s · /in · 1970-01-01 00:01 UTC',
    ])
    const asJson = await run(list, { json: true })
    expect(asJson.printed.map((line): unknown => JSON.parse(line))).toMatchObject([
      { type: 'history', id: 2, error: 'E_PEER_GONE' },
      { type: 'history', id: 1, outcome: 'done', folder: '/in' },
    ])
  })

  it('finds a word, and prints the number of hidden entries', async () => {
    await keep(...Array.from({ length: 250 }, (_, index) => entry(index + 1)))
    const some = await run(list)
    expect(some.printed).toHaveLength(20)
    expect(some.notes).toEqual(['230 older transfers are not shown. Show more with --limit.'])
    expect((await run(list, { limit: '220' })).printed).toHaveLength(220)
    expect((await run(list, { limit: '9999' })).printed).toHaveLength(250)
    expect((await run(list, { search: 'ITEM 77' })).printed).toHaveLength(1)
    const none = await run(list, { search: 'nobody' })
    expect(none).toMatchObject({ printed: [], notes: [expect.stringContaining('matches')] })
  })

  it.each([
    { limit: '0' },
    { limit: '' },
    { limit: 'many' },
    { limit: '10001' },
    { search: 'a'.repeat(201) },
  ])('refuses %o', async (options) => {
    expect((await run(list, options)).exitCode).toBe(exitCodes.usage)
  })

  it('removes an entry by its number, and no other one', async () => {
    await keep(entry(1), entry(2))
    expect((await run({ kind: 'remove', id: '1' })).exitCode).toBe(exitCodes.complete)
    for (const id of ['1', '0', '-1', '1e1', 'x', '9'.repeat(20)]) {
      expect((await run({ kind: 'remove', id })).exitCode).toBe(exitCodes.usage)
    }
    expect((await run(list)).printed).toHaveLength(1)
  })

  it('clears only after a yes', async () => {
    await keep(entry(1), entry(2))
    const clear = { kind: 'clear' } as const
    expect((await run(clear)).exitCode).toBe(exitCodes.usage)
    const no = Object.assign(new Paper(), { canAsk: true })
    expect((await run(clear, {}, no)).exitCode).toBe(exitCodes.declined)
    expect((await run(list)).printed).toHaveLength(2)
    expect((await run(clear, { yes: true })).exitCode).toBe(exitCodes.complete)
    expect((await run(list)).printed).toEqual([])
  })

  it("fails if it can't be read, and starts over if it is damaged", async () => {
    await keep(entry(1))
    const path = join(directory, 'history.db')
    writeFileSync(path, 'nonsense'.repeat(1000))
    const damaged = await run(list, { json: true })
    expect(damaged.exitCode).toBe(exitCodes.complete)
    expect(damaged.printed[0]).toContain('"kind":"damaged"')
    rmSync(path)
    mkdirSync(path)
    const unsafe = await run(list)
    expect(unsafe).toMatchObject({ exitCode: exitCodes.disk, printed: [] })
    expect(unsafe.notes[0]).toContain('not a file')
  })
})
