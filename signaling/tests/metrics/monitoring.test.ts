import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startMonitoredServer } from '../wire/monitored-server.ts'

const folder = resolve('signaling/deploy/monitoring')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] }
const panels = (JSON.parse(read('dashboard.json')) as { readonly panels: readonly Panel[] }).panels

/** Every `name{label="value"}` of an expression, and names without labels. */
function selectorsIn(text: string) {
  return [...text.matchAll(/\b((?:thru|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      kinds: [...matchers.matchAll(/(\w+)=~?"([^"$]*)"/g)].map(([, label = '', value = '']) => ({
        label,
        values: value.split('|'),
      })),
    }),
  )
}

/** The metrics in a text that no server exports. */
async function unknownIn(text: string): Promise<readonly string[]> {
  const server = await startMonitoredServer()
  const series = [...(await server.scrape()).values.keys()]
  return selectorsIn(text).flatMap(({ name, kinds }) => {
    const own = series.filter((one) => one === name || one.startsWith(`${name}{`))
    if (own.length === 0) return [name]
    return kinds
      .filter(({ label }) => label !== 'instance' && label !== 'job')
      .flatMap(({ label, values }) => values.map((value) => `${label}="${value}"`))
      .filter((pair) => !own.some((one) => one.includes(pair)))
      .map((pair) => `${name}{${pair}}`)
  })
}

/** The expressions of the rules, which may continue on indented lines. */
const rules = read('alerts.yml')
  .replace(/^ *(summary|description):.*$/gm, '')
  .replace(/^ *#.*$/gm, '')

describe('a metric in use', () => {
  it('is exported by the server, for the dashboard', async () => {
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(20)
    expect(await unknownIn(expressions.join('\n'))).toEqual([])
  })

  it('is exported by the server, for the alerts and their tests', async () => {
    expect(selectorsIn(rules).length).toBeGreaterThan(10)
    expect(await unknownIn(rules)).toEqual([])
    const series = read('alerts.test.yml').match(/series: '(.*)'/g) ?? []
    expect(await unknownIn(series.join('\n'))).toEqual([])
  })

  it('is detected if the server no longer has it', async () => {
    const text =
      'rate(thru_gone_total[5m]) + thru_sockets{role="ghost"} + thru_sockets{role="host"}'
    expect(await unknownIn(text)).toEqual(['thru_gone_total', 'thru_sockets{role="ghost"}'])
  })

  it('is in the dashboard if the server exports it', async () => {
    const { types } = await (await startMonitoredServer()).scrape()
    const text = JSON.stringify(panels)
    const notShown = [...types.keys()].filter((name) => !text.includes(name))
    expect(notShown).toEqual([
      'thru_handshakes',
      'thru_nameplates_taken',
      'process_start_time_seconds',
    ])
  })
})

it('every alert describes its meaning and urgency', () => {
  const alerts = read('alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1)
  expect(alerts.length).toBeGreaterThan(5)
  for (const alert of alerts) {
    expect(alert).toMatch(/severity: (page|ticket)\n/)
    expect(alert).toMatch(/summary: .+\n {10}description: .+/)
  }
})

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

describe.runIf(hasPromtool)('promtool', () => {
  const promtool = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: folder,
      encoding: 'utf8',
      input,
    })
    return { status, said: stdout + stderr }
  }

  it('accepts the configuration and the rules', () => {
    const { status, said } = promtool(['check', 'config', 'prometheus.yml'])
    expect([status, said]).toEqual([0, expect.stringContaining('rules found')])
  })

  it('fires alerts only for a reason', () => {
    const { status, said } = promtool(['test', 'rules', 'alerts.test.yml'])
    expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  it('finds nothing wrong with the metrics', async () => {
    const { content } = await (await startMonitoredServer()).ask('/metrics')
    expect(promtool(['check', 'metrics'], content)).toEqual({ status: 0, said: '' })
  })
})
