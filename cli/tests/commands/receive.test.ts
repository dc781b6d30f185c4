import { describe, expect, it } from 'vitest'
import type { Client } from '#client/client'
import { type AppError, appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Preflight } from '#shared/offer'
import { ok } from '#shared/result'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import { type AppState, emptyState, type ReceiveId, type TransferId } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { allNew } from '#shared/testing/figures'
import { receive, type ReceiveRequest } from '../../commands/receive'
import { exitCodes } from '../../exit-codes'
import type { Reporter } from '../../report/reporter'
import type { Terminal } from '../../terminal/terminal'
import { preflight } from '../preflight'

const id = 'r1' as ReceiveId
const transfer = 'a'.repeat(32) as TransferId
const code = '4821-apple-river-stone'
const enough: Preflight = { ...preflight, freeBytes: 100 }
const plan = { directory: '/in', options: defaultReceiveOptions, selection: selectAll }
const request = (changes: Partial<ReceiveRequest> = {}): ReceiveRequest => ({
  ...{ plan, asksConflict: false, yes: false, quiet: false },
  ...changes,
})

/** A receive with an offer, which ends as soon as it is accepted or canceled. */
function offered(found: Preflight, kind: 'file' | 'text' = 'file') {
  let state: AppState = emptyState('/downloads')
  const listeners = new Set<() => void>()
  const record = (event: AppEvent): void => {
    state = reduce(state, event)
    for (const listener of [...listeners]) listener()
  }
  record({ atMs: 0, type: 'receive-opened', receive: id, code, transfer })
  const totals = { files: 1, folders: 0, bytes: 10, complete: true }
  const items = [{ id: 0, name: 'a', kind, files: 1, bytes: 10 }] as const
  record({ atMs: 0, type: 'receive-offered', receive: id, title: 'a', items, totals })
  const accepted: unknown[] = []
  const outcome = {
    ...{ files: 1, bytes: 10, problems: 0, renamed: 0 },
    ...{ transferred: 10, ...allNew, readBack: false },
  }
  const running = {
    preflight: () => Promise.resolve(ok(found)),
    accept: (chosen: unknown) => {
      accepted.push(chosen)
      record({ atMs: 1, type: 'receive-finished', receive: id, outcome })
      return ok(null)
    },
    cancel: (why?: AppError) => {
      const error = why ?? appError('E_DECLINED')
      record({ atMs: 1, type: 'receive-failed', receive: id, error })
      return ok(null)
    },
  }
  const client = {
    snapshot: () => ({ seq: 0, state }),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receives: new Map([[id, running]]),
  }
  return { client: client as unknown as Client, accepted }
}

/** A person who gives these answers, and the questions asked. */
function person(says: boolean, key: string | null = null) {
  const asked: string[] = []
  const terminal: Terminal = {
    ...{ canAsk: true, canDraw: false, columns: 80, isAsking: false },
    ...{ out: () => undefined, note: () => undefined },
    ask: ({ ask }) => {
      asked.push(ask)
      return Promise.resolve(says)
    },
    choose: ({ ask }) => {
      asked.push(ask)
      return Promise.resolve(key)
    },
    readLine: () => Promise.resolve(null),
    readKeys: () => false,
  }
  return { terminal, asked }
}

const errorOf = (client: Client) => client.snapshot().state.receives[0]?.error

const silent: Reporter = {
  report: () => undefined,
  preflight: () => undefined,
  timing: () => undefined,
  fail: () => undefined,
  end: () => undefined,
}

describe('receiving', () => {
  it('accepts as wished after a yes, and with --yes without asking', async () => {
    for (const yes of [false, true]) {
      const { client, accepted } = offered(enough)
      const { terminal, asked } = person(true)
      expect(await receive(client, id, request({ yes }), silent, terminal)).toEqual(
        ok(exitCodes.complete),
      )
      expect(accepted).toEqual([plan])
      expect(asked).toHaveLength(yes ? 0 : 1)
    }
  })

  it('renames the items of the offer, and fails if there is none of the old name', async () => {
    const { client, accepted } = offered(enough)
    const { terminal } = person(true)
    const named = request({ renames: ['a=b'] })
    expect(await receive(client, id, named, silent, terminal)).toEqual(ok(exitCodes.complete))
    const renames = [{ item: 'a', name: 'b' }]
    expect(accepted).toEqual([{ ...plan, options: { ...plan.options, renames } }])

    const other = offered(enough)
    const mistaken = request({ renames: ['c=b'], yes: true })
    const ended = await receive(other.client, id, mistaken, silent, terminal)
    expect(ended).toEqual(ok(exitCodes.usage))
    expect(other.accepted).toEqual([])
    expect(errorOf(other.client)?.detail).toContain('no item "c"')
  })

  it('fails if no file matches the selection', async () => {
    const { client, accepted } = offered({ ...enough, wantedFiles: 0, wantedBytes: 0 })
    const { terminal, asked } = person(true)
    const selection = { ...selectAll, only: ['2024/*.jpg'] }
    const chosen = request({ plan: { ...plan, selection } })
    expect(await receive(client, id, chosen, silent, terminal)).toEqual(ok(exitCodes.usage))
    expect(asked).toEqual([])
    expect(accepted).toEqual([])
    expect(errorOf(client)?.detail).toContain("The offered file doesn't match")
  })

  it('prints the selected part of the offer before asking', async () => {
    const { client } = offered({ ...enough, wantedFiles: 0, wantedBytes: 0 })
    const { terminal } = person(true)
    const notes: string[] = []
    const noting = { ...terminal, note: (line: string) => notes.push(line) }
    await receive(client, id, request(), silent, noting)
    expect(notes).toContain('0 of 1 file · 0 B')
  })

  it('lists the offer without a question, too, except for programs', async () => {
    for (const quiet of [false, true]) {
      const { client } = offered(enough)
      const { terminal } = person(true)
      const notes: string[] = []
      const noting = { ...terminal, note: (line: string) => notes.push(line) }
      await receive(client, id, request({ yes: true, quiet }), silent, noting)
      expect(notes).toEqual(quiet ? [] : ['The sender offers:', '  a · 10 B', '1 file · 10 B'])
    }
  })

  it('asks to show a text, because nothing is written', async () => {
    const { client, accepted } = offered(enough, 'text')
    const { terminal, asked } = person(true)
    const notes: string[] = []
    const noting = { ...terminal, note: (line: string) => notes.push(line) }
    await receive(client, id, request(), silent, noting)
    expect(notes).toEqual(['The sender offers:', '  a (text) · 10 B'])
    expect(asked).toEqual(['Show the text?'])
    expect(accepted).toHaveLength(1)
  })

  it('declines after anything else', async () => {
    const { client, accepted } = offered(enough)
    expect(await receive(client, id, request(), silent, person(false).terminal)).toEqual(
      ok(exitCodes.declined),
    )
    expect(accepted).toEqual([])
  })

  it('declines an offer that the disk or the folder has no room for', async () => {
    const full = offered(preflight)
    const { terminal, asked } = person(true)
    const disk = ok(exitCodes.disk)
    expect(await receive(full.client, id, request(), silent, terminal)).toEqual(disk)
    expect(errorOf(full.client)).toMatchObject({ code: 'E_DISK_FULL', subject: '/in' })
    const error = appError('E_TARGET_NOT_WRITABLE', 'EACCES')
    const refused = offered({ ...enough, error })
    expect(await receive(refused.client, id, request(), silent, terminal)).toEqual(disk)
    expect(errorOf(refused.client)).toEqual({ ...error, subject: '/in' })
    expect(asked).toEqual([])
    expect([...full.accepted, ...refused.accepted]).toEqual([])
  })

  it.each([
    ['k', 'keep-both'],
    ['r', 'replace'],
    ['u', 'update'],
    ['o', 'replace-older'],
    ['s', 'skip'],
  ] as const)('asks once about all files that differ: %s is %s', async (key, conflict) => {
    const { client, accepted } = offered(enough)
    const { terminal, asked } = person(false, key)
    await receive(client, id, request({ asksConflict: true, yes: true }), silent, terminal)
    expect(asked).toEqual([expect.stringMatching(/^1 file already exists and differs:/)])
    expect(accepted).toEqual([{ ...plan, options: { ...defaultReceiveOptions, conflict } }])
  })

  it('declines if that question stays unanswered, and asks it only if needed', async () => {
    const unanswered = offered(enough)
    const asking = request({ asksConflict: true, yes: true })
    await receive(unanswered.client, id, asking, silent, person(true, null).terminal)
    expect(unanswered.accepted).toEqual([])
    const conflicts = { ...enough.conflicts, different: 0 }
    const needless = offered({ ...enough, conflicts })
    const { terminal, asked } = person(true, 'r')
    await receive(needless.client, id, asking, silent, terminal)
    expect(asked).toEqual([])
    expect(needless.accepted).toEqual([plan])
  })
})
