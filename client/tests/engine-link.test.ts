import { expect, it } from 'vitest'
import { EngineLink } from '#client/engine-link'
import { FakeEngine } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'

it('answers a command that the engine rejects with an error', () => {
  const engine = new FakeEngine()
  engine.answer = () => {
    throw new TypeError('installation must be a key')
  }
  const link = new EngineLink(engine, new ManualClock())
  expect(link.post({ type: 'set-limits', upload: 0, download: 0 })).toEqual({
    code: 'E_INTERNAL',
    detail: 'set-limits: TypeError: installation must be a key',
  })
})

it('reports mDNS names of connections to the watcher until it is closed', async () => {
  const engine = new FakeEngine()
  const link = new EngineLink(engine, new ManualClock())
  const told: string[] = []
  link.watchNames({
    onAsked: (question, name) => void told.push(`${question} ${name}`),
    onDropped: (question) => void told.push(`${question} dropped`),
    close: () => void told.push('closed'),
  })
  engine.emit({ type: 'name-asked', session: 1, question: 7, name: 'a.local' })
  engine.emit({ type: 'name-dropped', session: 0, question: 7 })
  await link.close()
  expect(told).toEqual(['7 a.local', '7 dropped', 'closed'])
})
