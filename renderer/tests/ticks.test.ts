import { describe, expect, it } from 'vitest'
import {
  allTicked,
  patternOf,
  selectionOf,
  tickOf,
  type Ticks,
  toggled,
  wantedOf,
} from '../view/ticks'

const all = { files: 10, bytes: 1000 }
const a = { files: 4, bytes: 400 }
const one = { files: 1, bytes: 100 }

const namesIn = (folder: string) => ({ '': ['a', 'b'], a: ['x', 'y', 'z'] })[folder] ?? null

const pick = (...steps: readonly (readonly [string, typeof all])[]): Ticks =>
  steps.reduce((ticks, [path, amount]) => toggled(ticks, path, amount), allTicked)

describe('ticks', () => {
  it('start with everything', () => {
    expect(tickOf(allTicked, '', all)).toBe(true)
    expect(selectionOf(allTicked, namesIn)).toEqual({ only: [], except: [], first: [] })
  })

  it('exclude a folder with its contents', () => {
    const ticks = pick(['a', a])
    expect([tickOf(ticks, '', all), tickOf(ticks, 'a', a), tickOf(ticks, 'a/x', one)]).toEqual([
      'mixed',
      false,
      false,
    ])
    expect(wantedOf(ticks, '', all)).toEqual({ files: 6, bytes: 600 })
    expect(selectionOf(ticks, namesIn)).toMatchObject({ only: [], except: ['/a'] })
  })

  it('are unchanged when a tick is removed and set again', () => {
    expect(pick(['a/x', one], ['a/x', one])).toEqual(allTicked)
    expect(pick(['a', a], ['a', a])).toEqual(allTicked)
  })

  it('are removed from a folder when nothing in it is wanted', () => {
    const b = { files: 6, bytes: 600 }
    const ticks = pick(['a', a], ['b', b])
    expect(tickOf(ticks, '', all)).toBe(false)
    expect(toggled(ticks, '', all)).toEqual(allTicked)
  })

  it('tick a mixed folder completely first', () => {
    expect(pick(['a/x', one], ['a', a])).toEqual(allTicked)
    expect(pick(['', all], ['a/x', one], ['a', a])).toEqual(pick(['', all], ['a', a]))
  })

  it('select a few entries when nothing is wanted', () => {
    const ticks = pick(['', all], ['a', a], ['a/x', one])
    expect(wantedOf(ticks, '', all)).toEqual({ files: 3, bytes: 300 })
    expect(wantedOf(ticks, 'a', a)).toEqual({ files: 3, bytes: 300 })
    expect(selectionOf(ticks, namesIn)).toMatchObject({ only: ['/a'], except: ['/a/x'] })
  })

  it('exclude the entries around the only wanted one in a folder', () => {
    const ticks = pick(['a', a], ['a/x', one])
    expect(wantedOf(ticks, '', all)).toEqual({ files: 7, bytes: 700 })
    expect(selectionOf(ticks, namesIn)).toMatchObject({ only: ['/a/x', '/b'], except: [] })
  })

  it('give no selection when nothing is wanted or not all names are known', () => {
    expect(selectionOf(pick(['', all]), namesIn)).toBeNull()
    expect(selectionOf(pick(['a', a], ['a/x', one]), () => null)).toBeNull()
  })

  it('give no selection when they take too many patterns', () => {
    const steps = Array.from({ length: 1001 }, (_, index) => [`b/${index}`, one] as const)
    expect(selectionOf(pick(...steps.slice(1)), namesIn)?.except).toHaveLength(1000)
    expect(selectionOf(pick(...steps), namesIn)).toBeNull()
  })
})

describe('patternOf', () => {
  it('matches every character literally', () => {
    expect(patternOf('photos/img[1] *?\\.jpg')).toBe('/photos/img\\[1\\] \\*\\?\\\\.jpg')
  })
})
