import { describe, expect, it } from 'vitest'
import { axes, growths } from '../lab/growth/growths.mjs'
import { growthPage, marginal, overview } from '../lab/growth/page.mjs'
import { growthPlot, spreadLabels, ticksOf } from '../lab/growth/plot.mjs'
import { tools } from '../lab/tools/tools.mjs'
import { sampleFiles, sampleSweep } from './sample-growth'

interface Growth {
  readonly axis: keyof typeof axes
  readonly points: readonly number[]
  readonly lines: readonly {
    readonly name: string
    readonly tool?: string
    readonly least?: number
    readonly most?: number
  }[]
}
const all = Object.entries(growths) as [string, Growth][]

describe('growths', () => {
  it.each(all)('%s grows, and every line of it has a tool and points', (_, growth) => {
    const { points, lines, axis } = growth
    expect([...points].sort((a, b) => a - b)).toEqual(points)
    expect(axes[axis].words(points[0])).toMatch(/^[\d,]/)
    expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length)
    for (const { name, tool = name, least = 0, most = Infinity } of lines) {
      expect(tools.map((each) => each.name)).toContain(tool)
      expect(points.some((x) => x >= least && x <= most)).toBe(true)
    }
  })

  it('says sizes in units', () => {
    const { words } = axes.size
    expect([1, 2 ** 20, 2 ** 36].map(words)).toEqual(['1 B', '1 MiB', '64 GiB'])
  })
})

describe('the page of a growth', () => {
  it('has a row for each point, with the part of the limit, and puts ours to the best of the others', () => {
    const [header, , first, last] = overview(sampleSweep).split('\n')
    expect(header).toMatch(
      /^\| round trip \| scp, Mbit\/s \| thru, Mbit\/s \| of limit \| MiB +\| to the/,
    )
    expect(first).toMatch(/^\| 1 ms +\| 91 +\| 91 +\| 92.7% +\| 80 \+ 100 \| 1 +\|$/)
    expect(last).toMatch(/^\| 100 ms +\| \(4\) +\| 80 .*\| 20 +\|$/)
  })

  it('tells what each unit takes more, but not of what hardly grew or was not measured', () => {
    const more = (index: number, name: string) => marginal(sampleFiles, index, name) as unknown
    expect(more(0, 'thru')).toBeUndefined()
    expect(more(1, 'thru')).toBeCloseTo(0.001)
    expect(more(2, 'thru')).toBeCloseTo(0.001)
    expect(more(1, 'tar')).toBeUndefined()
    expect(more(2, 'tar')).toBeUndefined()
    expect(overview(sampleFiles)).toMatch(/\| 10,000 \| 10.5 +\| 1 ms +\| 80 \+ 100 \|/)
  })

  it('has all figures, and says on what they were measured', () => {
    const text = growthPage(sampleSweep)
    expect(text).toMatch(
      /\| 100 ms .*\| scp .*\| 0 of 1 \| not there after 40 s, 10% there at 4 Mbit\/s \|/,
    )
    expect(text).toContain('Commit 0123abcd')
    expect(text).toContain('- thru: ours, 0.1.0.')
    expect(text).toContain('Not installed: udt.')
    expect(text).toContain('Left out at 100 ms for want of memory: udt.')
    expect(text).not.toContain('too busy')
  })

  it('says when the computer was too busy', () => {
    const points = sampleSweep.points.map((point) => ({ ...point, raw: { tcp: [], udp: [50] } }))
    expect(growthPage({ ...sampleSweep, points })).toContain('raw UDP got 51.1% of')
  })
})

describe('the plot of a growth', () => {
  const svg = growthPlot(sampleSweep)

  it('draws a line for each tool and for both sides of ours, ours in the first color', () => {
    expect(svg.match(/<path class="line /g)).toHaveLength(4)
    expect(svg.match(/<path class="line c0 ours"/g)).toHaveLength(2)
    expect(svg.match(/<path class="line c0 ours dashed"/g)).toHaveLength(1)
    expect(svg).toContain('>limit 98.1</text>')
  })

  it('leaves dots hollow for what was not there in time', () => {
    expect(svg.match(/class="dot c1 part"/g)).toHaveLength(1)
  })

  it('stands when little or nothing was measured', () => {
    const [point] = sampleFiles.points
    for (const points of [[point], [{ ...point, tools: [] }]])
      expect(growthPlot({ ...sampleFiles, points })).not.toMatch(/NaN|Infinity|undefined/)
    expect(growthPlot({ ...sampleFiles, what: 'a < b' })).toContain('a &lt; b')
  })

  it('has ticks around its values', () => {
    expect(ticksOf(0.7, 45)).toEqual([0.5, 1, 2, 5, 10, 20, 50])
    expect(ticksOf(1, 1000)).toEqual([1, 10, 100, 1000])
    expect(ticksOf(3, 3)).toEqual([2, 5])
  })

  it('keeps labels apart and within the picture', () => {
    const at = (...ys: number[]) => {
      const labels = ys.map((y) => ({ y }))
      const placed = spreadLabels(labels, 0, 100) as { y: number }[]
      return placed.map(({ y }) => y)
    }
    expect(at(10, 50)).toEqual([10, 50])
    expect(at(10, 12, 14)).toEqual([10, 25, 40])
    expect(at(90, 95, 99)).toEqual([70, 85, 100])
  })
})
