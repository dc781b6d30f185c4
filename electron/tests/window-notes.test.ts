import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { visiblePlace, WindowNotes } from '../main/window-notes'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'thruflux-notes-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true })
})

const place = { x: 40, y: 30, width: 900, height: 600, isMaximized: false }

describe('WindowNotes', () => {
  it('are kept from one start to the next, in one file', () => {
    new WindowNotes(directory).note({ place })
    new WindowNotes(directory).note({ trayExplained: true })
    new WindowNotes(directory).note({ hasTransferred: true })
    const notes = new WindowNotes(directory)
    expect(notes.place).toEqual(place)
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
    expect(notes.place).toBeNull()
    expect(notes.trayExplained).toBe(false)
  })
})

describe('visiblePlace', () => {
  const left = { x: 0, y: 0, width: 1920, height: 1040 }
  const right = { x: 1920, y: 0, width: 1280, height: 1024 }

  it('keeps a place on any display', () => {
    expect(visiblePlace(place, [left])).toEqual(place)
    expect(visiblePlace({ ...place, x: 2000 }, [left, right])).toEqual({ ...place, x: 2000 })
    expect(visiblePlace({ ...place, x: -700 }, [left])).not.toBeNull()
  })

  it('rejects one that could not be seen or moved', () => {
    expect(visiblePlace({ ...place, x: 2000 }, [left])).toBeNull()
    expect(visiblePlace({ ...place, x: -800 }, [left])).toBeNull()
    expect(visiblePlace({ ...place, y: -20 }, [left])).toBeNull()
    expect(visiblePlace({ ...place, y: 1030 }, [left])).toBeNull()
    expect(visiblePlace(null, [left])).toBeNull()
  })
})
