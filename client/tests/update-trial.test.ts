import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { beginStart, beginTrial, endTrial, endWithPrevious } from '#client/update/trial'
import { UpdateNotes } from '#client/update/update-note'

const day = 24 * 60 * 60 * 1000
const nowMs = Date.UTC(2026, 10, 1)
const sha512 = 'ab'.repeat(64)

const at = temporaryFolder()
let notes: UpdateNotes
beforeEach(() => {
  notes = new UpdateNotes({ directory: at() })
})

const start = (version: string, atMs = nowMs) => beginStart(notes, version, atMs)
const fail = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    expect(await start('1.1.0')).toEqual({ kind: 'usual' })
  }
}

describe('UPD-09: a new version', () => {
  beforeEach(() => beginTrial(notes, '1.1.0', { version: '1.0.0', sha512 }, nowMs))

  it('that ended three times before its window was there offers the previous one', async () => {
    await fail(3)
    expect(await start('1.1.0')).toMatchObject({ kind: 'fails', previous: { version: '1.0.0' } })
  })

  it('that came as far as its window once is a version like any other', async () => {
    await fail(3)
    await endTrial(notes, '1.1.0')
    expect(await start('1.1.0')).toEqual({ kind: 'usual' })
  })

  it('has nothing to offer once the previous one is gone, after seven days', async () => {
    await fail(3)
    expect((await start('1.1.0', nowMs + 7 * day - 1)).kind).toBe('fails')
    expect((await start('1.1.0', nowMs + 7 * day)).kind).toBe('usual')
  })

  it('that was given up is not brought again by itself', async () => {
    await fail(3)
    await endWithPrevious(notes, '1.1.0')
    expect(notes.read()).toMatchObject({ skipped: '1.1.0', trial: null, previous: null })
    expect(await start('1.0.0')).toEqual({ kind: 'usual' })
  })
})

it('starts of a version that is not watched write nothing', async () => {
  expect(await start('1.0.0')).toEqual({ kind: 'usual' })
  await endTrial(notes, '1.0.0')
  expect(notes.read().trial).toBeNull()
})
