import { expect, it } from 'vitest'
import { exposition } from '#signaling/metrics/exposition'
import { Count, CountBy, Distribution, gauge, gaugeBy } from '#signaling/metrics/metric'
import { parseExposition } from './parse-exposition.ts'

it('every kind of metric is written in the exposition format', () => {
  const count = new Count('thru_a_total', 'What is counted.')
  const by = new CountBy<string>('thru_b_total', 'The same.', 'kind', ['left', 'right'])
  const time = new Distribution('thru_c_seconds', 'A time.', [0.5, 1])
  count.add()
  count.add(41)
  by.add('left')
  for (const seconds of [0.25, 0.5, 0.75, 2]) time.observe(seconds)
  const text = exposition([
    count.family,
    by.family,
    time.family,
    gauge('thru_d', 'Now.', 1e-7),
    gaugeBy('thru_e', 'Now, too.', 'of', { one: 1, two: 2 }),
  ])
  expect(text).toBe(`# HELP thru_a_total What is counted.
# TYPE thru_a_total counter
thru_a_total 42
# HELP thru_b_total The same.
# TYPE thru_b_total counter
thru_b_total{kind="left"} 1
thru_b_total{kind="right"} 0
thru_b_total{kind="other"} 0
# HELP thru_c_seconds A time.
# TYPE thru_c_seconds histogram
thru_c_seconds_bucket{le="0.5"} 2
thru_c_seconds_bucket{le="1"} 3
thru_c_seconds_bucket{le="+Inf"} 4
thru_c_seconds_sum 3.5
thru_c_seconds_count 4
# HELP thru_d Now.
# TYPE thru_d gauge
thru_d 1e-7
# HELP thru_e Now, too.
# TYPE thru_e gauge
thru_e{of="one"} 1
thru_e{of="two"} 2
`)
  expect(parseExposition(text).values.get('thru_c_seconds_count')).toBe(4)
})

it('an unlisted kind creates no new series', () => {
  const by = new CountBy<number>('thru_b_total', 'By code.', 'code', [1000])
  for (let code = 3000; code < 4000; code += 1) by.add(code)
  expect(by.family.samples).toEqual([
    { labels: { code: 1000 }, value: 0 },
    { labels: { code: 'other' }, value: 1000 },
  ])
})

it.each([
  ['an invalid line', 'thru a b\n'],
  ['a missing end', '# HELP a b\n# TYPE a gauge\na 1'],
  ['a value that is none', '# HELP a b\n# TYPE a gauge\na NaN\n'],
  ['a series twice', '# HELP a b\n# TYPE a gauge\na 1\na 2\n'],
  ['a series of another metric', '# HELP a b\n# TYPE a gauge\nb 1\n'],
  ['a counter without its suffix', '# HELP a b\n# TYPE a counter\na 1\n'],
  [
    'a histogram without its last bucket',
    '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
  ],
  [
    'a histogram that falls',
    '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  ],
])('the reader of these tests refuses %s', (_what, text) => {
  expect(() => parseExposition(text)).toThrow()
})
