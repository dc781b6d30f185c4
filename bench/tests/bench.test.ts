import { expect, it } from 'vitest'
import { overview, plan } from '../bench.mjs'

it('names every scenario and every other measurement', () => {
  for (const name of [
    'lan',
    'wan-reordered',
    'long-haul',
    'transfer',
    'window',
    'signaling',
    'engine',
    'paths',
  ])
    expect(overview()).toMatch(new RegExp(`^  ${name} `, 'm'))
})

it('builds what it measures, and passes arguments on', () => {
  const { build, run, needsWorld } = plan(['wan', '--runs', '5'])
  expect(needsWorld).toBe(true)
  expect(build.flat()).toContain('scripts/build.mjs')
  expect(run.slice(1)).toEqual(['bench/lab/laboratory.mjs', 'wan', '--runs', '5'])
})

it('can use an existing build', () => {
  expect(plan(['paths', '--no-build', 'reordered'])).toMatchObject({
    build: [],
    needsWorld: false,
  })
})

it('refuses an unknown measurement', () => {
  expect(() => plan(['speed'])).toThrow('There is no measurement "speed".')
  expect(() => plan(['constructor'])).toThrow('There is no measurement "constructor".')
})
