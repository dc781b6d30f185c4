import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { formatSafety } from '#shared/format/format'
import { codeEndNote, guessNote, storageNote } from '#shared/labels'
import { emptyState, type TransferId } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import type { StorageError } from '#shared/state/storage-error'
import { peer, receive, share } from './ids'

const code = '4821-apple-river-stone'

const after = (...events: readonly AppEvent[]) => events.reduce(reduce, emptyState('/downloads'))

const open: readonly AppEvent[] = [
  { atMs: 1, type: 'share-opened', share, title: 'a', maxReceivers: 10 },
  { atMs: 2, type: 'share-coded', share, code, endsAtMs: 100 },
]
const guessed = (wrong: number, locked = false): AppEvent => ({
  atMs: 3,
  type: 'share-guessed',
  share,
  guesses: { wrong, locked, spent: false },
})

describe("a share's code", () => {
  it('has an end, and counts the wrong words', () => {
    const ended: AppEvent = { atMs: 100, type: 'share-code-ended', share, why: 'expired' }
    expect(after(...open, guessed(6)).shares[0]).toMatchObject({
      ...{ phase: 'open', code, codeEndsAtMs: 100, codeEnd: null },
      guesses: { wrong: 6, locked: false, spent: false },
    })
    expect(after(...open, ended).shares[0]).toMatchObject({ phase: 'open', codeEnd: 'expired' })
  })

  it('is given up while receivers stay; wrong words stay until the engine forgets them', () => {
    const joined: AppEvent = { atMs: 3, type: 'receiver-joined', share, peer, safety: '482913' }
    const state = after(...open, joined, guessed(50, true), {
      atMs: 4,
      type: 'share-recoding',
      share,
    })
    expect(state.shares[0]).toMatchObject({
      ...{ phase: 'opening', code: null, codeEndsAtMs: null, codeEnd: null },
      guesses: { wrong: 50, locked: true, spent: false },
      receivers: [{ safety: '482913', phase: 'connecting' }],
    })
  })

  it('counts as moved if it changed without a request, until one is made', () => {
    const coded = (text: string): AppEvent => ({ atMs: 4, type: 'share-coded', share, code: text })
    const moved = [...open, coded('4822-stone-river-apple'), coded('4822-stone-river-apple')]
    expect(after(...open).shares[0]?.moved).toBe(false)
    expect(after(...open, coded(code)).shares[0]?.moved).toBe(false)
    expect(after(...moved).shares[0]?.moved).toBe(true)
    const asked: AppEvent = { atMs: 5, type: 'share-recoding', share }
    expect(after(...moved, asked, coded('4823-apple-stone-river')).shares[0]?.moved).toBe(false)
  })

  it('reports strangers that try to join, and their end', () => {
    const load = (isHigh: boolean): AppEvent => ({
      ...{ atMs: 4, type: 'share-unauthenticated-load', share },
      high: isHigh,
    })
    expect(after(...open, load(true)).shares[0]?.highLoad).toBe(true)
    expect(after(...open, load(true), load(false)).shares[0]?.highLoad).toBe(false)
  })

  it('stops working after too many wrong words', () => {
    const words = guessNote({ wrong: 0, locked: true, spent: true })
    expect(words).toContain('Create a new share')
  })

  it.each([
    [0, false, null],
    [4, false, null],
    [5, false, '5 wrong attempts'],
    [50, true, 'Locked after 50 wrong attempts. Create a new code.'],
  ])('after %i wrong words (locked: %j) says %j', (wrong, locked, words) => {
    const said = guessNote({ wrong, locked, spent: false })
    if (words === null) expect(said).toBeNull()
    else expect(said).toContain(words)
  })

  it('gives the reason why it admits no one', () => {
    expect(codeEndNote('expired')).toContain('has expired')
    expect(codeEndNote('one-receiver')).toContain('no longer works')
  })
})

describe('a receive', () => {
  const opened: AppEvent = {
    ...{ atMs: 1, type: 'receive-opened', receive, code },
    transfer: 'a'.repeat(32) as TransferId,
  }

  it('knows the safety number once it is paired', () => {
    expect(after(opened).receives[0]?.safety).toBeNull()
    const paired: AppEvent = { atMs: 2, type: 'receive-paired', receive, safety: '482913' }
    expect(after(opened, paired).receives[0]?.safety).toBe('482913')
    expect(formatSafety('482913')).toBe('482 913')
  })

  it('can be retried immediately, unless the sender could not be verified', () => {
    const end = (name: 'E_PEER_IDENTITY' | 'E_CODE_MISMATCH') =>
      after(opened, { atMs: 9, type: 'receive-failed', receive, error: appError(name) }).receives[0]
    expect(end('E_CODE_MISMATCH')?.retryFromMs).toBe(0)
    expect(end('E_PEER_IDENTITY')?.retryFromMs).toBe(5009)
  })
})

describe('trouble with files', () => {
  const error = (file: string, kind: StorageError['kind']) =>
    ({ atMs: 1, type: 'storage-failed', storageError: { file, kind, detail: '' } }) as const

  it('is kept once for each file, the latest', () => {
    const state = after(error('/a', 'damaged'), error('/b', 'newer'), error('/a', 'unsafe'))
    expect(state.storage.map(({ file, kind }) => [file, kind])).toEqual([
      ['/b', 'newer'],
      ['/a', 'unsafe'],
    ])
  })

  it('is over when the file can be used again', () => {
    const mended = { atMs: 2, type: 'storage-mended', file: '/a' } as const
    const state = after(error('/a', 'malformed'), error('/b', 'newer'), mended)
    expect(state.storage.map(({ file }) => file)).toEqual(['/b'])
    expect(reduce(state, mended)).toBe(state)
  })

  it('has different words for each kind', () => {
    const kinds = [
      ...(['damaged', 'malformed', 'bad-values'] as const),
      ...(['newer', 'unsafe', 'inaccessible'] as const),
    ]
    const words = kinds.map((kind) => storageNote({ file: '/a', kind, detail: '' }))
    expect(new Set(words).size).toBe(kinds.length)
    for (const said of words) expect(said).toContain('/a')
  })
})
