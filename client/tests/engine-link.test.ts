import { expect, it } from 'vitest'
import { EngineLink } from '#client/engine-link'
import { FakeEngine } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'

it('answers with an error what the engine can not read', () => {
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
