import { describe, expect, it } from 'vitest'
import { isStaged } from '#client/update/judge'
import { compareVersions } from '#shared/update/version'

describe('versions', () => {
  it('are ordered by their numbers, a beta before its release', () => {
    const inOrder = ['0.9.9', '0.10.0-beta.2', '0.10.0-beta.10', '0.10.0', '0.10.1', '1.0.0']
    for (const [index, version] of inOrder.entries()) {
      expect(compareVersions(version, version)).toBe(0)
      for (const later of inOrder.slice(index + 1)) {
        expect(compareVersions(version, later)).toBeLessThan(0)
        expect(compareVersions(later, version)).toBeGreaterThan(0)
      }
    }
  })

  it.each(['', '1', '1.0', '01.0.0', '1.0.0.0', '1.0.0-alpha.1', 'v1.0.0', '999999.0.0'])(
    'what is none is the oldest: %j',
    (text) => {
      expect(compareVersions(text, '0.0.0')).toBeLessThan(0)
    },
  )
})

describe('a staged version', () => {
  const lots = Array.from({ length: 2000 }, (_, index) => `installation ${index}`)
  const countOf = (version: string, staged: number) =>
    lots.filter((lot) => isStaged(lot, { version, staged })).length

  it('comes to about its share of the installations', () => {
    expect(countOf('1.1.0', 0)).toBe(0)
    expect(countOf('1.1.0', 10)).toBeGreaterThan(140)
    expect(countOf('1.1.0', 10)).toBeLessThan(260)
    expect(countOf('1.1.0', 100)).toBe(2000)
  })

  it('stays with those who have their turn when it comes to more', () => {
    const first = lots.filter((lot) => isStaged(lot, { version: '1.1.0', staged: 10 }))
    expect(first.every((lot) => isStaged(lot, { version: '1.1.0', staged: 50 }))).toBe(true)
  })

  it('comes to others first than the version before it', () => {
    const firstOf = (version: string) =>
      lots.filter((lot) => isStaged(lot, { version, staged: 10 })).join()
    expect(firstOf('1.1.0')).not.toBe(firstOf('1.2.0'))
  })
})
