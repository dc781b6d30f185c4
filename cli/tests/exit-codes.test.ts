import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appError, type ErrorCode, errorCodes } from '#shared/errors'
import type { Receive, Receiver, Share, TransferId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import { allNew } from '#shared/testing/figures'
import {
  exitCodeLines,
  exitCodeOf,
  exitCodeOfInvited,
  exitCodeOfOne,
  exitCodeOfReceive,
  exitCodeOfShare,
  exitCodes,
} from '../exit-codes'

const outcome = (problems: number) => ({
  files: 2,
  bytes: 10,
  problems,
  renamed: 0,
  transferred: 10,
  ...allNew,
  readBack: false,
  startedAtMs: 0,
  endedAtMs: 1,
})

it('lists the meaning of each exit code in the help, in order', () => {
  const codes = exitCodeLines().map((line) => Number(/^ +(\d+) +\S/.exec(line)?.[1]))
  expect(codes).toEqual(Object.values(exitCodes))
})

it.each(errorCodes)('has %s in its row of docs/cli.md', (code) => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const row = page.split('\n').find((line) => line.startsWith(`| ${exitCodeOf(appError(code))}`))
  expect(row).toContain(`\`${code}\``)
})

it.each(errorCodes)('never ends with success after %s', (code) => {
  expect(exitCodeOf(appError(code))).toBeGreaterThan(0)
})

it.each<readonly [ErrorCode, number]>([
  ['E_BAD_ARGUMENT', 2],
  ['E_CODE_MISMATCH', 3],
  ['E_SERVER_UNREACHABLE', 4],
  ['E_NO_ROUTE', 5],
  ['E_PEER_GONE', 6],
  ['E_DISK_FULL', 7],
])('ends with a code of its own class after %s', (code, exitCode) => {
  expect(exitCodeOf(appError(code))).toBe(exitCode)
})

describe('a receive', () => {
  const receive = (changes: Partial<Receive>) =>
    exitCodeOfReceive({
      ...{ error: null, problems: [], leftOut: [], outcome: outcome(0) },
      ...changes,
    } as unknown as Receive)

  it('is complete only without any problem', () => {
    expect(receive({})).toBe(exitCodes.complete)
    expect(receive({ outcome: outcome(1) })).toBe(exitCodes.problems)
    const problem = { path: 'a', error: appError('E_HASH_MISMATCH') }
    expect(receive({ problems: [problem] })).toBe(exitCodes.problems)
  })

  it('finishes with problems if the offer was cut at the limits of a share', () => {
    const leftOut = (code: ErrorCode) => [{ code, entries: 1, paths: [] }]
    expect(receive({ leftOut: leftOut('E_LIMIT_EXCEEDED') })).toBe(exitCodes.problems)
    expect(receive({ leftOut: leftOut('E_LINK_OUTSIDE') })).toBe(exitCodes.problems)
  })

  it('ends with the code of its error', () => {
    expect(receive({ error: appError('E_DISK_FULL') })).toBe(exitCodes.disk)
  })
})

describe('a share for one receiver', () => {
  const end = (one: Partial<Receiver>) =>
    exitCodeOfOne({ receivers: [one], problems: [] } as unknown as Share)

  it('ends with the result of that receiver', () => {
    expect(end({ outcome: outcome(0), error: null })).toBe(exitCodes.complete)
    expect(end({ outcome: outcome(1), error: null })).toBe(exitCodes.problems)
    expect(end({ outcome: null, error: appError('E_DECLINED') })).toBe(exitCodes.declined)
    expect(end({ outcome: null, error: appError('E_NO_ROUTE') })).toBe(exitCodes.noRoute)
  })
})

describe('a share for contacts', () => {
  const [anna, bea] = ['a', 'b'].map((name) => name.repeat(32) as ContactId) as [
    ContactId,
    ContactId,
  ]
  const done = (contact: ContactId) => ({ contact, outcome: outcome(0), error: null })
  const failed = (contact: ContactId, code: ErrorCode) => ({
    ...{ contact, outcome: null, error: appError(code) },
  })
  type Ending = Parameters<typeof exitCodeOfInvited>[1]
  const end = (
    receivers: readonly object[],
    phases: Readonly<Record<ContactId, string>>,
    signal?: Ending,
  ) => {
    const invited = Object.entries(phases).map(([contact, phase]) => ({ contact, phase }))
    return exitCodeOfInvited({ receivers, invited, problems: [] } as unknown as Share, signal)
  }

  it('is complete if everyone has everything, also after a lost connection', () => {
    const both = { [anna]: 'joined', [bea]: 'joined' }
    expect(end([failed(anna, 'E_PEER_GONE'), done(bea), done(anna)], both)).toBe(0)
  })

  it('ends with the error of the only contact, and with problems if others are complete', () => {
    expect(end([failed(anna, 'E_DECLINED')], { [anna]: 'joined' })).toBe(exitCodes.declined)
    expect(end([failed(anna, 'E_DISK_FULL')], { [anna]: 'joined' })).toBe(exitCodes.disk)
    expect(end([], { [anna]: 'removed' })).toBe(exitCodes.code)
    expect(end([], { [anna]: 'away' })).toBe(exitCodes.declined)
    expect(end([done(bea)], { [anna]: 'away', [bea]: 'joined' })).toBe(exitCodes.problems)
  })

  it('was interrupted if a signal came before every answer', () => {
    expect(end([], { [anna]: 'away' }, 'SIGINT')).toBe(exitCodes.interrupted)
    expect(end([], { [anna]: 'removed' }, 'SIGINT')).toBe(exitCodes.code)
    expect(end([done(anna)], { [anna]: 'joined' }, 'SIGTERM')).toBe(exitCodes.complete)
    expect(end([done(anna)], { [anna]: 'joined', [bea]: 'away' }, 'SIGINT')).toBe(
      exitCodes.problems,
    )
  })
})

describe('a share that is stopped', () => {
  const done = { name: '', outcome: outcome(0), error: null, route: null }
  const partly = { outcome: outcome(1), error: null }
  const running = { outcome: null, error: null }
  const gone = { name: '', outcome: null, error: appError('E_PEER_GONE'), route: null }
  const declined = { outcome: null, error: appError('E_DECLINED') }
  const stop = (receivers: readonly Partial<Receiver>[], problems: Share['problems'] = []) =>
    exitCodeOfShare({ receivers, problems } as Share, 'SIGINT')

  it('was interrupted if no one received anything', () => {
    expect(stop([])).toBe(exitCodes.interrupted)
    expect(stop([gone, declined])).toBe(exitCodes.interrupted)
    expect(exitCodeOfShare({ receivers: [], problems: [] } as unknown as Share, 'SIGTERM')).toBe(
      exitCodes.terminated,
    )
  })

  it('is complete if all interested receivers have everything', () => {
    expect(stop([done])).toBe(exitCodes.complete)
    expect(stop([done, declined, done])).toBe(exitCodes.complete)
    expect(stop([{ outcome: null, error: appError('E_UNDECIDED') }, done])).toBe(exitCodes.complete)
  })

  it('is complete if a lost receiver returned by the code', () => {
    const from = (name: string, remote: string) => ({ name, route: { kind: 'direct', remote } })
    const lost = { ...gone, ...from('Bob', '203.0.113.7:5000') } as Receiver
    const back = (name: string, remote: string) =>
      stop([lost, { ...done, ...from(name, remote) } as Receiver])
    expect(back('Bob', '203.0.113.7:6000')).toBe(exitCodes.complete)
    expect(back('Ann', '203.0.113.7:6000')).toBe(exitCodes.problems)
    expect(back('Bob', '203.0.113.8:5000')).toBe(exitCodes.problems)
    const contact = 'c'.repeat(32) as ContactId
    expect(
      stop([
        { ...gone, contact },
        { ...done, contact },
      ]),
    ).toBe(exitCodes.complete)
  })

  it('is complete if a receiver returned that has not been given up', () => {
    const at = (remote: string): Partial<Receiver> => ({
      ...{ name: 'Bob', route: { kind: 'direct', remote } as Receiver['route'] },
    })
    const lost = { ...running, ...at('203.0.113.7:5000') }
    const back = { ...done, ...at('203.0.113.7:6000') }
    expect(stop([{ ...lost, phase: 'interrupted' }, back])).toBe(exitCodes.complete)
    expect(stop([{ ...lost, stall: 'network' }, back])).toBe(exitCodes.complete)
    expect(stop([{ ...lost, phase: 'receiving', stall: 'none' }, back])).toBe(exitCodes.problems)
    // Another person of that name was complete before.
    expect(stop([back, { ...lost, stall: 'network' }])).toBe(exitCodes.problems)
    const elsewhere = { ...back, ...at('[2001:db8::7]:6000') }
    expect(stop([{ ...lost, phase: 'interrupted' }, elsewhere])).toBe(exitCodes.problems)
    const resumed = { ...done.outcome, transferred: 4 }
    expect(
      stop([
        { ...lost, phase: 'interrupted' },
        { ...elsewhere, outcome: resumed },
      ]),
    ).toBe(exitCodes.complete)
  })

  it('is complete if a receiver resumed over a relay', () => {
    const name = 'Bob'
    const transfer = 'a'.repeat(32) as TransferId
    const route = { kind: 'relay', remote: '198.51.100.1:3478' } as Receiver['route']
    const lost = { ...gone, name, transfer, route }
    const resumed = { ...done.outcome, transferred: 4 }
    expect(stop([lost, { ...lost, ...done, name, route, outcome: resumed }])).toBe(
      exitCodes.complete,
    )
    expect(stop([lost, { ...done, name, route: null, outcome: resumed }])).toBe(exitCodes.complete)
    expect(stop([lost, { ...done, name, route, outcome: done.outcome }])).toBe(exitCodes.problems)
    expect(stop([lost, { ...done, name: 'Ann', route, outcome: resumed }])).toBe(exitCodes.problems)
  })

  it('has problems if an attempt without a route can have been another receiver', () => {
    const noRoute = { ...gone, error: appError('E_NO_ROUTE'), transfer: null }
    expect(stop([noRoute, { ...done, name: 'Bob' }])).toBe(exitCodes.problems)
    expect(stop([noRoute])).toBe(exitCodes.interrupted)
  })

  it('has problems if a receiver lacks something', () => {
    expect(stop([done, partly])).toBe(exitCodes.problems)
    expect(stop([done, running])).toBe(exitCodes.problems)
    expect(stop([done, gone])).toBe(exitCodes.problems)
    expect(stop([partly])).toBe(exitCodes.problems)
    expect(stop([done], [{ path: 'a', error: appError('E_PATH_NOT_FOUND') }])).toBe(
      exitCodes.problems,
    )
  })
})
