import { expect, it } from 'vitest'
import { createLog } from '#signaling/log-lines'

it('writes a JSON line for each event of its level and above', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  log({ event: 'listening', port: 8080 })
  log({ event: 'opened', address: '203.0.113.0/24' })
  log({ event: 'failed', stack: 'Error: a bug' })
  const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(written).toMatchObject([
    { level: 30, event: 'listening', port: 8080 },
    { level: 50, event: 'failed', stack: 'Error: a bug' },
  ])
  expect(written[0]).not.toHaveProperty('hostname')
})
