import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startMonitoredServer } from '../wire/monitored-server.ts'

it('the documentation has every metric with its type, and no other', async () => {
  const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const table = page.split('<!-- metrics -->')[1]?.split('<!-- end -->')[0] ?? ''
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [
    name,
    type,
  ])
  const { types } = await (await startMonitoredServer()).scrape()
  expect(rows).toEqual([...types])
})
