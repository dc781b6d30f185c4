import { describe, expect, it } from 'vitest'
import { readPlan, readShare, type ReceiveFlags, type ShareFlags } from '../flags'
import { defaultReceiveOptions, selectAll } from '#shared/receive-options'

const shareFlags = (changes: Partial<ShareFlags> = {}): ShareFlags => ({
  ...{ exclude: [], links: true, codeLife: '24h' },
  ...changes,
})
const receiveFlags = (changes: Partial<ReceiveFlags> = {}): ReceiveFlags => ({
  ...{ out: '.', compare: 'time', select: [], except: [], first: [] },
  ...{ resume: true, times: true, exec: true, links: true, emptyFolders: true },
  ...changes,
})

/** For calls that read nothing. */
const noInput = () => Promise.reject(new Error('read'))

const badFlag = (flag: string) => ({
  ok: false,
  error: { code: 'E_BAD_ARGUMENT', subject: flag },
})

describe('the options of host', () => {
  it('mean the defaults when there are none', async () => {
    expect(await readShare(['a'], shareFlags(), noInput)).toEqual({
      ok: true,
      value: {
        items: [{ kind: 'path', path: 'a' }],
        ...{ exclude: [], links: true, maxReceivers: 10 },
        ...{ oneReceiver: false, codeLifeMs: 24 * 3_600_000 },
      },
    })
  })

  it('say for whom and how long the code is good', async () => {
    const flags = shareFlags({ once: true, codeLife: '10min' })
    expect(await readShare(['a'], flags, noInput)).toMatchObject({
      value: { oneReceiver: true, codeLifeMs: 600_000 },
    })
    const bad = await readShare(['a'], shareFlags({ codeLife: '2h' }), noInput)
    expect(bad).toMatchObject(badFlag('--code-life'))
  })

  it('offer a text, also one from standard input', async () => {
    const flags = shareFlags({ text: 'hello', exclude: ['*.tmp'], links: false, maxReceivers: '0' })
    expect(await readShare(['a'], flags, noInput)).toMatchObject({
      value: {
        items: [{ kind: 'text', text: 'hello', name: 'Text' }, { kind: 'path' }],
        ...{ exclude: ['*.tmp'], links: false, maxReceivers: 0 },
      },
    })
    expect(
      await readShare([], shareFlags({ text: '-' }), () => Promise.resolve('piped\n')),
    ).toMatchObject({
      value: { items: [{ text: 'piped\n' }] },
    })
  })

  it.each<readonly [string, Partial<ShareFlags>]>([
    ['--text', { text: '' }],
    ['--max-receivers', { maxReceivers: '1001' }],
    ['--max-receivers', { maxReceivers: '-1' }],
    ['--max-receivers', { maxReceivers: '1.5' }],
    ['--max-receivers', { maxReceivers: 'ten' }],
    ['--max-receivers', { maxReceivers: '' }],
    ['--exclude', { exclude: [''] }],
    ['--exclude', { exclude: Array<string>(1001).fill('a') }],
  ])('are refused: %s', async (flag, changes) => {
    expect(await readShare(['a'], shareFlags(changes), noInput)).toMatchObject(badFlag(flag))
  })

  it('are not enough by themselves', async () => {
    expect(await readShare([], shareFlags(), noInput)).toMatchObject(badFlag('thru host'))
  })
})

describe('the options of join', () => {
  it('mean the defaults when there are none', () => {
    expect(readPlan(receiveFlags())).toEqual({
      ok: true,
      value: {
        asksConflict: false,
        plan: { directory: '.', options: defaultReceiveOptions, selection: selectAll },
      },
    })
  })

  it('say how it is written, and what', () => {
    const flags = receiveFlags({
      ...{ conflict: 'replace-older', compare: 'content', verify: true, portableNames: true },
      ...{ resume: false, times: false, exec: false, links: false, emptyFolders: false },
      ...{ select: ['photos'], except: ['*.tmp'], first: ['a', 'b'] },
    })
    expect(readPlan(flags)).toMatchObject({
      value: {
        plan: {
          options: {
            ...{ conflict: 'replace-older', compareContent: true, verify: true },
            ...{ resume: false, keepTimes: false, keepExecutable: false, makeLinks: false },
            ...{ makeEmptyFolders: false, portableNames: true },
          },
          selection: { only: ['photos'], except: ['*.tmp'], first: ['a', 'b'] },
        },
      },
    })
  })

  it('ask about conflicts, or replace', () => {
    expect(readPlan(receiveFlags({ conflict: 'ask' }))).toMatchObject({
      value: { asksConflict: true, plan: { options: { conflict: 'keep-both' } } },
    })
    for (const conflict of [undefined, 'replace']) {
      const flags = receiveFlags({ overwrite: true, ...(conflict ? { conflict } : {}) })
      expect(readPlan(flags)).toMatchObject({
        value: { plan: { options: { conflict: 'replace' } } },
      })
    }
  })

  it.each<readonly [string, Partial<ReceiveFlags>]>([
    ['--conflict', { conflict: 'merge' }],
    ['--overwrite', { overwrite: true, conflict: 'ask' }],
    ['--overwrite', { overwrite: true, conflict: 'skip' }],
    ['--compare', { compare: 'size' }],
    ['--select', { select: [''] }],
    ['--except', { except: ['a'.repeat(5000)] }],
    ['--first', { first: Array<string>(1001).fill('a') }],
  ])('are refused: %s', (flag, changes) => {
    expect(readPlan(receiveFlags(changes))).toMatchObject(badFlag(flag))
  })
})
