import { describe, expect, it } from 'vitest'
import { appError } from '#shared/errors'
import { errorDetails, errorWords, receiveSentence } from '../view/receive-view'
import { averageRate, took } from '../view/sentence'
import { now, outcome, progress, receive } from './states'

describe('receiveSentence', () => {
  const failed = (code: 'E_CANCELLED' | 'E_PEER_GONE') => ({
    phase: 'failed' as const,
    error: appError(code),
  })

  it.each([
    [receive({ phase: 'looking-up' }), 'Looking for the share'],
    [receive({ phase: 'connecting' }), 'Connecting · trying a direct path'],
    [receive({ phase: 'listing', totals: null }), 'Connected · reading the list of files'],
    [receive({ phase: 'listing' }), 'Connected · reading the list of files · 10 files so far'],
    [receive({ phase: 'offered' }), 'Waiting for your decision'],
    [receive({ progress: null }), 'Starting'],
    [receive(), '50 % · 10 B/s · 0.5 of 1.0 kB · 50 s left'],
    [receive({ phase: 'done', outcome: outcome() }), 'Verified · 1.0 kB in 10 s'],
    [receive({ phase: 'done', outcome: outcome(1) }), 'Done with 1 problem · 1.0 kB in 10 s'],
    [receive(failed('E_CANCELLED')), 'Cancelled by you · 0.5 of 1.0 kB safe on disk'],
    [
      receive({ ...failed('E_PEER_GONE'), progress: progress(0) }),
      'The other computer does not answer any more · nothing was written',
    ],
  ])('%#', (which, expected) => {
    const { lead, rest } = receiveSentence(which, now)
    expect([lead, ...rest].filter((part) => part !== '').join(' · ')).toBe(expected)
  })
})

describe('errorWords', () => {
  it('makes a short headline and keeps the reason', () => {
    expect(errorWords(appError('E_NO_ROUTE'))).toEqual({
      headline: 'There is no way through to the other computer',
      advice:
        'A network between blocks direct connections. ' +
        'Use a relay (a TURN server), or bring both computers into another network.',
    })
  })

  it('leaves a sentence without a reason as it is', () => {
    expect(errorWords(appError('E_STOPPED')).headline).toBe('The other side stopped the transfer')
  })
})

describe('errorDetails', () => {
  it('says only what is known', () => {
    expect(errorDetails(appError('E_PEER_GONE'))).toBe('error    E_PEER_GONE')
    expect(errorDetails(appError('E_DISK_IO', 'EIO', '/x'))).toBe(
      'error    E_DISK_IO\nabout    /x\ndetail   EIO',
    )
  })
})

describe('an outcome', () => {
  it('says how long it took and how fast it was', () => {
    expect(took(outcome())).toBe('10 s')
    expect(averageRate(outcome())).toBe('100 B/s')
  })

  it('has words for what is over at once', () => {
    const atOnce = { ...outcome(), startedAtMs: now, endedAtMs: now }
    expect(took(atOnce)).toBe('less than a second')
    expect(averageRate(atOnce)).toBe('1.0 MB/s')
  })
})
