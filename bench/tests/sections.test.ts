import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/cache.mjs'
import { growths } from '../lab/growth/growths.mjs'
import { documentNow, documents } from '../lab/publish.mjs'
import { published, publishedGrowths } from '../lab/published.mjs'
import { scenarios } from '../lab/scenarios.mjs'
import { filled, section } from '../lab/sections.mjs'
import { sampleSweep } from './sample-growth'
import { sampleResult } from './sample-result'

const folder = '../bench/results'

describe('what documents show of a result', () => {
  it('puts ours beside each tool, with what others published', () => {
    const text = section('long-haul', { ...sampleResult, scenario: 'long-haul' }, folder)
    expect(text).toMatch(
      /\| thru +\| 54.3 .*\| of limit|\| thru to it \| published, Mbit\/s \| note/,
    )
    expect(text).toMatch(/\| other .*\| 2.94 +\|/)
    expect(text).toMatch(/\| their thruflux +\|[ |]*\| 614 +\| +\|/)
    expect(text).toContain('Limit: 294 Mbit/s')
    expect(text).toContain('[plot](../bench/results/long-haul.svg)')
  })

  it('leaves out what nobody published', () => {
    expect(section('wan', sampleResult, folder)).not.toContain('published')
  })

  it('shows a growth with the published one below it', () => {
    const text = section('growth-rtt', sampleSweep, folder)
    expect(text).toMatch(/\| round trip \| scp, Mbit\/s/)
    expect(text).toMatch(/\| round trip, published \| axel, Mbit\/s .*\n.*\n\| 0.5 ms +\| 504 /)
  })

  it('says how to measure what is not there', () => {
    expect(section('long-fat', undefined, folder)).toMatch(
      /^Not measured yet: `npm run bench -- long-fat`. Published by iAnatoly/,
    )
  })

  it('says when the computer was too busy', () => {
    const busy = { ...sampleResult, tardy: 0.5 }
    expect(section('wan', busy, folder)).toContain('had to wait for a processor')
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
    expect(now).toMatch(/^before\n<!-- results of wan: generated -->\n\n`npm run/)
    expect(now).not.toContain('old')
    expect(now).toContain('\n\n<!-- end -->\nbetween $& and\n')
    expect(now).toMatch(/<!-- plot of lan: generated -->\n<!-- end -->\nafter$/)
    expect(filled(now, find, folder)).toBe(now)
  })

  it.each(documents)('%s shows the published results as they are', (path) => {
    expect(documentNow(path)).toBe(readFileSync(join(root, path), 'utf8'))
  })

  it('show every published comparison, and nothing that does not exist', () => {
    const text = documents.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
    const shown = [...text.matchAll(/<!-- (?:results|plot) of ([\w-]+):/g)].map(
      ([, name = '']) => name,
    )
    const known = [...Object.keys(scenarios), ...Object.keys(growths), 'engine']
    const all = [...Object.keys(published), ...Object.keys(publishedGrowths)]
    expect(shown.filter((name) => !known.includes(name))).toEqual([])
    expect(all.filter((name) => !shown.includes(name))).toEqual([])
  })
})
