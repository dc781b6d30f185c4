import { beforeEach, describe, expect, it } from 'vitest'
import type { AppError } from '#shared/errors'
import { appError } from '#shared/errors'
import type { FilePage, FileQuery } from '#shared/files'
import { err, ok, type Result } from '#shared/result'
import type { ReceiveId } from '#shared/state/app-state'
import { FileFeed, pageRows, rowAt } from '../screens/files/file-feed'

const asked: FileQuery[] = []
const answers: ((reply: Result<FilePage, AppError>) => void)[] = []
let isHidden = false

const newFeed = (): FileFeed =>
  new FileFeed(
    { receive: 'r1' as ReceiveId },
    ({ query }) => {
      asked.push(query)
      return new Promise((resolve) => answers.push(resolve))
    },
    () => isHidden,
  )

const counts = { all: 1000, active: 0, waiting: 1000, done: 0, skipped: 0, problem: 0 }

const page = (offset: number, total = 1000): FilePage => ({
  ...{ counts, total, offset },
  files: Array.from({ length: Math.min(pageRows, total - offset) }, (_, at) => ({
    ...{ index: offset + at, path: `f${offset + at}`, kind: 'file', size: 1, bytes: 0 },
    state: 'waiting' as const,
    kind: 'file' as const,
  })),
})

/** Answers the oldest open query. */
async function answer(reply: Result<FilePage, AppError>): Promise<void> {
  answers.shift()?.(reply)
  await Promise.resolve()
  await Promise.resolve()
}

beforeEach(() => {
  asked.length = 0
  answers.length = 0
  isHidden = false
})

describe('the rows of a list of files', () => {
  it('are requested around the visible ones, and not again while they are loaded', async () => {
    const feed = newFeed()
    feed.show({ filter: 'all', query: '', firstRow: 0 })
    expect(asked).toEqual([{ filter: 'all', query: '', offset: 0, limit: pageRows }])
    await answer(ok(page(0)))
    feed.show({ filter: 'all', query: '', firstRow: 50 })
    expect(asked).toHaveLength(1)
    expect(rowAt(feed.rows, 50)?.path).toBe('f50')
    feed.show({ filter: 'all', query: '', firstRow: 500 })
    expect(asked[1]).toMatchObject({ offset: 460 })
  })

  it('are requested one page at a time, skipping pages that were scrolled past', async () => {
    const feed = newFeed()
    for (const firstRow of [0, 200, 400, 900]) feed.show({ filter: 'all', query: '', firstRow })
    expect(asked).toHaveLength(1)
    await answer(ok(page(0)))
    expect(asked.map(({ offset }) => offset)).toEqual([0, 860])
  })

  it("of another filter don't apply", async () => {
    const feed = newFeed()
    feed.show({ filter: 'all', query: '', firstRow: 0 })
    feed.show({ filter: 'done', query: '', firstRow: 0 })
    await answer(ok(page(0)))
    expect(feed.rows.files).toEqual([])
    await answer(ok(page(0, 3)))
    expect(feed.rows.total).toBe(3)
  })

  it("stay when the engine is busy, and aren't requested while the window is hidden", async () => {
    const feed = newFeed()
    feed.show({ filter: 'all', query: '', firstRow: 0 })
    await answer(ok(page(0)))
    feed.refresh()
    await answer(err(appError('E_ENGINE_BUSY')))
    expect(feed.rows.total).toBe(1000)
    isHidden = true
    feed.refresh()
    expect(asked).toHaveLength(2)
  })
})
