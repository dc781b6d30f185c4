import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/cache.mjs'
import { growths } from '../lab/growth/growths.mjs'
import { documentNow, documents } from '../lab/publish.mjs'
import { published, publishedGrowths } from '../lab/published.mjs'
import { publishedFolder } from '../lab/results.mjs'
import { scenarios } from '../lab/scenarios.mjs'
import { filled, section, shownIn } from '../lab/sections.mjs'
import { sampleFiles, sampleSweep } from './sample-growth'
import { sampleResult } from './sample-result'

const folder = '../bench/results'

describe('what documents show of results', () => {
  const known: Record<string, object> = {
    wan: sampleResult,
    'long-haul': { ...sampleResult, scenario: 'long-haul' },
    'growth-rtt': sampleSweep,
    'growth-files': sampleFiles,
  }
  const shown = (...names: string[]) => section(names, (name: string) => known[name])

  it('has a row for each scenario, with the other tools and what others published', () => {
    const [header, , wan, longHaul] = shown('wan', 'long-haul').split('\n')
    expect(header).toMatch(/^\| scenario +\| limit \| s +\| least to most \| Mbit\/s \| of limit /)
    expect(wan).toMatch(/^\| `wan`: a file over a path +\| 294 +\| 54.3 .* 147 +\| 50% .*\| +\|$/)
    expect(longHaul).toContain(
      '| other 50; slow: not there after 9 s, 50% there at 10 Mbit/s | their thruflux 614; croc 537;',
    )
    expect(longHaul).toMatch(/rsync 93.6 \(samsungplay, .*\) \|$/)
  })

  it('has a row for each growth, with what others published', () => {
    const [, , row] = shown('growth-rtt').split('\n')
    expect(row).toContain(
      '| 1 ms, 100 ms | Mbit/s: scp 91, (4); thru 91, 80 | thru 80 + 100 to 80 + 100 |',
    )
    expect(row).toContain('| at 0.5 ms, 10 ms, 50 ms, 100 ms, 200 ms, 300 ms: axel 504, 184, 160,')
    expect(row).toContain('; udt -, -, -, -, -, 0.736;')
    expect(shown('growth-files')).toContain(
      '| 1, 1,000, 10,000 | s: thru 0.5, 1.5, 10.5; tar 0.1, 0.1, - |',
    )
  })

  it('says how to measure what is not there', () => {
    expect(shown('long-fat')).toBe('Not measured yet: `npm run bench -- long-fat`.')
  })

  it('says on what results were measured, and when the computer was too busy', () => {
    const busy = { ...sampleResult, tardy: 0.5 }
    const text = section(['wan'], () => busy)
    expect(text).toContain('Measured: wan by 0123abcd, 2026-01-01, load average 1 to 1. **The comp')
    expect(text).toMatch(/had to wait for a processor.*Computers: A processor, 2 cores/)
  })
})

describe('documents', () => {
  const find = (name: string) => (name === 'wan' ? sampleResult : undefined)

  it('are written anew between their marks only', () => {
    const text = [
      'before',
      '<!-- results of wan: generated -->',
      'old',
      '<!-- end -->',
      'between $& and',
      '<!-- plot of lan: generated -->',
      '<!-- end -->',
      'after',
    ].join('\n')
    const now = filled(text, find, folder) as string
    expect(now).toMatch(/^before\n<!-- results of wan: generated -->\n\n\| scenario /)
    expect(now).not.toContain('old')
    expect(now).toContain('\n\n<!-- end -->\nbetween $& and\n')
    expect(now).toMatch(/<!-- plot of lan: generated -->\n<!-- end -->\nafter$/)
    expect(filled(now, find, folder)).toBe(now)
  })

  it.each(documents)('%s shows the published results as they are', (path) => {
    expect(documentNow(path)).toBe(readFileSync(join(root, path), 'utf8'))
  })

  it('show every published comparison and every kept result, and nothing that does not exist', () => {
    const text = documents.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
    const { results, plots } = shownIn(text) as Record<'results' | 'plots', string[]>
    const shown = [...results, ...plots]
    const known = [...Object.keys(scenarios), ...Object.keys(growths), 'engine']
    const all = [...Object.keys(published), ...Object.keys(publishedGrowths)]
    expect(shown.filter((name) => !known.includes(name))).toEqual([])
    expect(all.filter((name) => !shown.includes(name))).toEqual([])
    expect(
      readdirSync(publishedFolder)
        .filter((file) => file !== 'runs')
        .sort(),
    ).toEqual(
      [...results.map((name) => `${name}.json`), ...plots.map((name) => `${name}.svg`)].sort(),
    )
  })
})
