import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import type { PeerId, ReceiveId, Route, ShareId, TransferId } from '#shared/state/app-state'
import { emptyLog, logged, logText, subjectOf, type TransferLog } from '#shared/state/transfer-log'
import { allFetched } from '#shared/testing/figures'

const receive = 'r1' as ReceiveId
const share = 's1' as ShareId
const route: Route = {
  kind: 'relay',
  family: 4,
  transport: 'tcp',
  remote: '192.0.2.1:443',
  relay: '198.51.100.7:443',
}

const logOf = (events: readonly AppEvent[]): TransferLog => events.reduce(logged, emptyLog)

const progress = (atMs: number): AppEvent => ({
  ...{ atMs, type: 'receive-progressed', receive },
  counters: { files: 1, bytes: 5, totalFiles: 2, totalBytes: 10, transferred: 5, ...allFetched },
})

describe('the log of a transfer', () => {
  it('says what happened when', () => {
    const { lines } = logOf([
      { atMs: 0, type: 'receive-connected', receive, from: 'Mina', route },
      { atMs: 1000, type: 'receive-failed', receive, error: appError('E_PEER_GONE', 'idle') },
    ])
    expect(lines).toEqual([
      '1970-01-01T00:00:00.000Z connected to Mina, relay over IPv4 tcp, 192.0.2.1:443 through relay 198.51.100.7:443',
      '1970-01-01T00:00:01.000Z failed: E_PEER_GONE (idle)',
    ])
  })

  it('has no code, and no safety number', () => {
    const code = '4821-apple-river-stone'
    const log = logOf([
      { atMs: 0, type: 'share-coded', share, code },
      { atMs: 0, type: 'receive-opened', receive, code, transfer: 't' as TransferId },
      { atMs: 0, type: 'receive-paired', receive, safety: '482913' },
      { atMs: 0, type: 'receiver-joined', share, peer: 'p' as PeerId, safety: '482913' },
    ])
    expect(log.lines).toHaveLength(4)
    expect(logText(log)).not.toMatch(/apple|4821|482913/)
  })

  it('has progress every ten seconds, and otherwise the newest lines', () => {
    const events = Array.from({ length: 100 }, (_, index) => progress(index * 1000))
    expect(logOf(events).lines).toHaveLength(10)
    const error = appError('E_PATH_UNREADABLE')
    const problems = Array.from({ length: limits.logLines + 5 }, (_, index): AppEvent => ({
      ...{ atMs: index, type: 'receive-problem', receive, path: `f${index}`, error },
    }))
    const log = logOf(problems)
    expect(log.lines).toHaveLength(limits.logLines)
    expect(logText(log)).toContain('5 earlier lines are left out.')
  })

  it('keeps foreign names on their line, however long they are', () => {
    const path = `a\nb\u2028${'c'.repeat(5000)}`
    const error = appError('E_PATH_UNREADABLE')
    const { lines } = logOf([{ atMs: 0, type: 'receive-problem', receive, path, error }])
    expect(lines[0]).toHaveLength(limits.logLineLength)
    expect(lines[0]).not.toMatch(/[\n\u2028]/)
  })

  it('belongs to the share of a receiver, or to a receive', () => {
    expect(subjectOf(progress(0))).toBe('r1')
    expect(subjectOf({ atMs: 0, type: 'receiver-accepted', share, peer: 'p' as PeerId })).toBe('s1')
    expect(subjectOf({ atMs: 0, type: 'server-changed', server: { phase: 'idle' } })).toBeNull()
  })
})
