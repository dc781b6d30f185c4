import { expect, it } from 'vitest'
import type { AppEvent } from '#shared/events'
import { Report } from '../main/report'

const versions = { app: '0.1.0', electron: '45.0.0', chrome: '150', node: '24' }

const newReport = (): Report => new Report(() => Date.UTC(2026, 0, 2))

it('a report contains versions and error codes, and nothing private', () => {
  const report = newReport()
  const error = { code: 'E_DISK_FULL', detail: 'no space', subject: '/home/mina/secret.txt' }
  report.noteEvent({ type: 'share-problem', path: '/home/mina', error } as unknown as AppEvent)
  report.noteEvent({ type: 'share-coded', code: '4821-apple-kayak-onion' } as unknown as AppEvent)
  const text = report.text(versions)
  expect(text).toContain('Thruflux 0.1.0\nElectron 45.0.0, Chromium 150, Node 24\n')
  expect(text).toContain('2026-01-02T00:00:00.000Z share-problem: E_DISK_FULL')
  expect(text).not.toMatch(/mina|secret|apple|no space/)
})

it('a bug is reported by its type and place, without its message and folders', () => {
  const report = newReport()
  const bug = Object.assign(new TypeError('cannot open /home/mina/secret.txt'), { code: 'ENOENT' })
  bug.stack = `TypeError: cannot open /home/mina/secret.txt
    at open (/home/mina/app/main.cjs:10:3)
    at C:\\Users\\mina\\app\\main.cjs:7:1
    at async Promise.all (index 0)`
  report.noteBug('main', bug)
  const text = report.text(versions)
  expect(text).toContain('main: TypeError ENOENT\n    at open main.cjs:10:3\n    at main.cjs:7:1')
  expect(text).not.toMatch(/mina|secret/)
})

it('only the last errors are kept', () => {
  const report = newReport()
  for (let count = 0; count < 200; count += 1) report.noteBug(`bug ${count}`, new Error('x'))
  const text = report.text(versions)
  expect(text).not.toContain('bug 149:')
  expect(text).toContain('bug 150:')
  expect(newReport().text(versions)).toContain('No errors since the start.')
})
