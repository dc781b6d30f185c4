import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { visiblePlacement, WindowNotes } from '../main/window-notes'

let directory: string

beforeEach(() => {
  directory = folderOfTest()
})

const placement = { x: 40, y: 30, width: 900, height: 600, isMaximized: false }

describe('WindowNotes', () => {
  it('are kept from one start to the next, in one file', () => {
    new WindowNotes(directory).note({ placement })
    new WindowNotes(directory).note({ trayExplained: true })
    new WindowNotes(directory).note({ hasTransferred: true })
    const notes = new WindowNotes(directory)
    expect(notes.placement).toEqual(placement)
    expect(notes.trayExplained).toBe(true)
    expect(notes.hasTransferred).toBe(true)
    expect(readdirSync(directory)).toEqual(['window.json'])
  })

  it.each([
    '',
    'null',
    '[]',
    '{"place":7}',
    '{"place":{"x":1e99,"y":0,"width":1,"height":1,"isMaximized":false}}',
    `{"trayExplained":true,"filler":"${'x'.repeat(5000)}"}`,
  ])('ignore an invalid file: %s', (content) => {
    writeFileSync(join(directory, 'window.json'), content)
    const notes = new WindowNotes(directory)
    expect(notes.placement).toBeNull()
    expect(notes.trayExplained).toBe(false)
  })
})

describe('visiblePlacement', () => {
  const left = { x: 0, y: 0, width: 1920, height: 1040 }
  const right = { x: 1920, y: 0, width: 1280, height: 1024 }

  it('keeps a place on any display', () => {
    expect(visiblePlacement(placement, [left])).toEqual(placement)
    expect(visiblePlacement({ ...placement, x: 2000 }, [left, right])).toEqual({
      ...placement,
      x: 2000,
    })
    expect(visiblePlacement({ ...placement, x: -700 }, [left])).not.toBeNull()
  })

  it('rejects one that could not be seen or moved', () => {
    expect(visiblePlacement({ ...placement, x: 2000 }, [left])).toBeNull()
    expect(visiblePlacement({ ...placement, x: -800 }, [left])).toBeNull()
    expect(visiblePlacement({ ...placement, y: -20 }, [left])).toBeNull()
    expect(visiblePlacement({ ...placement, y: 1030 }, [left])).toBeNull()
    expect(visiblePlacement(null, [left])).toBeNull()
  })
})
