import { expect, it } from 'vitest'
import { plot } from '../lab/plot.mjs'
import { sampleResult } from './sample-result'

const svg = plot(sampleResult)

it('draws a bar for each tool and each raw transfer, ours in its own color, and the limit', () => {
  expect(svg.match(/<rect class="bar"/g)).toHaveLength(1)
  expect(svg.match(/<rect class="ours"/g)).toHaveLength(1)
  expect(svg.match(/<rect class="raw"/g)).toHaveLength(2)
  expect(svg.match(/<line class="limit"/g)).toHaveLength(1)
  expect(svg).toContain('147 Mbit/s, 50%')
})

it('shows how far an unfinished tool got', () => {
  expect(svg).toContain('unfinished, 10 Mbit/s')
})

it('ends bars at the edge of the limit', () => {
  const ours = /<rect class="ours" x="96" y="\d+" width="([\d.]+)"/.exec(svg)?.[1]
  const limit = /<line class="limit" x1="([\d.]+)"/.exec(svg)?.[1]
  expect(Number(ours)).toBeCloseTo((Number(limit) - 96) / 2, 0)
})

it('leaves raw transfers of a direct link to the page', () => {
  const direct = plot({ ...sampleResult, path: undefined })
  expect(direct).not.toContain('class="raw"')
  expect(direct).not.toContain('class="limit"')
  expect(direct).toContain('linked directly')
})

it('escapes names, and draws when nothing was measured', () => {
  const none = plot({ ...sampleResult, what: 'a < b & c', tools: [], raw: { tcp: [], udp: [] } })
  expect(none).toContain('a &lt; b &amp; c')
  expect(none).not.toMatch(/NaN|Infinity|undefined/)
  expect(plot({ ...sampleResult, path: undefined, tools: [] })).not.toMatch(/NaN|Infinity/)
})
