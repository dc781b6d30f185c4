import { describe, expect, it } from 'vitest'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import {
  readLimits,
  readPlan,
  readShare,
  type ReceiveFlags,
  type ShareFlags,
  type ToOptions,
} from '../../options/flags'

const shareFlags = (flags: ShareFlags & ToOptions = {}): ShareFlags & ToOptions => flags
const receiveFlags = (flags: ReceiveFlags = {}): ReceiveFlags => flags

/** Input for calls that must not read any. */
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
        ...{ gitignore: false, exclude: [], links: true, followLinks: false, attributes: false },
        maxReceivers: 10,
        ...{ oneReceiver: false, approve: false, browsers: true, codeLifeMs: 24 * 3_600_000 },
        invitedOnly: false,
      },
    })
  })

  it('limit the receivers and the lifetime of the code', async () => {
    const flags = shareFlags({ once: true, expires: '10m' })
    expect(await readShare(['a'], flags, noInput)).toMatchObject({
      value: { oneReceiver: true, codeLifeMs: 600_000 },
    })
    expect(await readShare(['a'], shareFlags({ expires: '1h30m' }), noInput)).toMatchObject({
      value: { codeLifeMs: 5_400_000 },
    })
  })

  it('exclude browsers, and never include them against the setting', async () => {
    const browsersOf = async (flags: ReturnType<typeof shareFlags>, browsers: boolean) => {
      const sharing = { ...defaultSettings.sharing, browsers }
      const share = await readShare(['a'], flags, noInput, sharing)
      return share.ok && share.value.browsers
    }
    expect(await browsersOf(shareFlags(), true)).toBe(true)
    expect(await browsersOf(shareFlags({ browsers: false }), true)).toBe(false)
    expect(await browsersOf(shareFlags({ browsers: true }), false)).toBe(false)
  })

  it('refuse an empty path, which could mean the current folder', async () => {
    expect(await readShare(['a', ''], shareFlags(), noInput)).toMatchObject(badFlag('thru host'))
    expect(readPlan(receiveFlags({ out: '' }))).toMatchObject(badFlag('--out'))
  })

  it('offer several texts in order, and refuse invalid UTF-8', async () => {
    const flags = shareFlags({ text: ['first', '-', 'last'] })
    const items = [{ text: 'first' }, { text: 'piped' }, { text: 'last' }]
    expect(await readShare([], flags, () => Promise.resolve('piped'))).toMatchObject({
      value: { items },
    })
    expect(await readShare([], flags, () => Promise.resolve(null))).toMatchObject(badFlag('--text'))
  })

  it('show no code with --to, unless the share is kept open', async () => {
    const to = ['Bea', 'Jonas']
    const read = (flags: Parameters<typeof shareFlags>[0]) =>
      readShare(['a'], shareFlags(flags), noInput)
    const rules = { invitedOnly: true, oneReceiver: false, approve: false, maxReceivers: 2 }
    expect(await read({ to, receivers: '1', approve: true })).toMatchObject({ value: rules })
    expect(await read({ to, keepOpen: true, approve: true })).toMatchObject({
      value: { invitedOnly: false, approve: true },
    })
    expect(await read({ to, qr: true })).toMatchObject(badFlag('--qr'))
    expect(await read({ to, copy: true })).toMatchObject(badFlag('--copy'))
    expect(await read({ to, words: 'apple-kayak-onion' })).toMatchObject(badFlag('--words'))
    expect(await read({ to, qr: true, keepOpen: true })).toMatchObject({ ok: true })
    expect(await readShare(['-'], shareFlags({ to }), noInput)).toMatchObject({
      value: { items: [{ kind: 'stream', receivers: 2 }] },
    })
  })

  it('give a stream as many receivers as it waits for, or more', async () => {
    const flags = shareFlags({ receivers: '20' })
    expect(await readShare(['-'], flags, noInput)).toMatchObject({
      value: { items: [{ kind: 'stream', receivers: 20 }], maxReceivers: 20 },
    })
    expect(await readShare(['-'], shareFlags(), noInput)).toMatchObject({
      value: { items: [{ receivers: 1 }], maxReceivers: 10 },
    })
    expect(await readShare(['-'], shareFlags({ receivers: '0' }), noInput)).toMatchObject(
      badFlag('--receivers'),
    )
  })

  it('choose the words of the code', async () => {
    const flags = shareFlags({ words: ' Apple Kayak oni' })
    expect(await readShare(['a'], flags, noInput)).toMatchObject({
      value: { words: 'apple-kayak-onion' },
    })
  })

  it('offer a text, also one from standard input', async () => {
    const flags = shareFlags({
      text: ['hello'],
      exclude: ['*.tmp'],
      receivers: '0',
    })
    expect(await readShare(['a'], flags, noInput)).toMatchObject({
      value: {
        items: [{ kind: 'text', text: 'hello', name: 'Text' }, { kind: 'path' }],
        ...{ exclude: ['*.tmp'], maxReceivers: 0 },
      },
    })
    expect(
      await readShare([], shareFlags({ text: ['-'] }), () => Promise.resolve('piped\n')),
    ).toMatchObject({
      value: { items: [{ text: 'piped\n' }] },
    })
  })

  it.each<readonly [string, Partial<ShareFlags & ToOptions>]>([
    ['--text', { text: [''] }],
    ['--text', { text: ['-', '-'] }],
    ['--text', { text: ['Gr\ufffd\ufffde'] }],
    ['--text', { text: ['\u00e9'.repeat(512 * 1024 + 1)] }],
    ['--receivers', { receivers: '1001' }],
    ['--receivers', { receivers: '-1' }],
    ['--receivers', { receivers: '1.5' }],
    ['--receivers', { receivers: 'ten' }],
    ['--receivers', { receivers: '' }],
    ['--expires', { expires: '30s' }],
    ['--expires', { expires: '25h' }],
    ['--expires', { expires: '10' }],
    ['--words', { words: 'apple-kayak' }],
    ['--words', { words: 'apple-kayak-onion', to: ['Jonas'] }],
    ['--words', { words: 'aple-kayak-onion' }],
    ['--words', { words: 'apple-apple-apple' }],
    ['--exclude', { exclude: [''] }],
    ['--exclude', { exclude: ['*.tmp', 'f[1-3'] }],
    ['--exclude', { exclude: Array<string>(1001).fill('a') }],
  ])('are refused: %s', async (flag, changes) => {
    expect(await readShare(['a'], shareFlags(changes), noInput)).toMatchObject(badFlag(flag))
  })

  it('need something to share', async () => {
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

  it('select files and set how they are written', () => {
    const flags = receiveFlags({
      conflict: 'replace-older',
      ...{ only: ['photos'], exclude: ['*.tmp'], first: ['a', 'b'] },
    })
    expect(readPlan(flags)).toMatchObject({
      value: {
        plan: {
          options: { conflict: 'replace-older' },
          selection: { only: ['photos'], except: ['*.tmp'], first: ['a', 'b'] },
        },
      },
    })
  })

  it('ask about conflicts, or replace', () => {
    expect(readPlan(receiveFlags({ conflict: 'ask' }))).toMatchObject({
      value: { asksConflict: true, plan: { options: { conflict: 'update-unchanged' } } },
    })
    expect(readPlan(receiveFlags({ conflict: 'replace' }))).toMatchObject({
      value: { plan: { options: { conflict: 'replace' } } },
    })
  })

  it('keep extended attributes if they say so', () => {
    expect(readPlan(receiveFlags({ attributes: true }))).toMatchObject({
      value: { plan: { options: { keepAttributes: true } } },
    })
  })

  it('removes what the sender deletes only while it follows', () => {
    expect(readPlan(receiveFlags({ delete: true }))).toMatchObject(badFlag('--delete'))
    expect(readPlan(receiveFlags({ delete: true, follow: true }))).toMatchObject({
      value: { plan: { options: { conflict: 'update', follow: true, deletions: true } } },
    })
  })

  it.each<readonly [string, Partial<ReceiveFlags>]>([
    ['--conflict', { conflict: 'merge' }],
    ['--only', { only: ['f[1-3'] }],
    ['--exclude', { exclude: ['f[]'] }],
    ['--first', { first: ['f[!]'] }],
    ['--only', { only: [''] }],
    ['--exclude', { exclude: ['a'.repeat(5000)] }],
    ['--first', { first: Array<string>(1001).fill('a') }],
  ])('are refused: %s', (flag, changes) => {
    expect(readPlan(receiveFlags(changes))).toMatchObject(badFlag(flag))
  })
})

describe('speed limits', () => {
  it('are bytes or bits per second', () => {
    expect(readLimits({ limitUp: '20MB/s', limitDown: '20Mbit' })).toEqual({
      ok: true,
      value: { upload: 20_000_000, download: 2_500_000 },
    })
    expect(readLimits({})).toEqual({ ok: true, value: { upload: 0, download: 0 } })
    expect(readLimits({ limitUp: '500000' })).toMatchObject({ value: { upload: 500_000 } })
  })

  it('are refused without a unit if they are implausibly small', () => {
    const tiny = readLimits({ limitUp: '20' })
    expect(tiny).toMatchObject(badFlag('--limit-up'))
    expect(tiny).toMatchObject({
      error: {
        detail: '--limit-up 20 would be 20 bytes a second. Add a unit: 20MB/s or 20Mbit/s.',
      },
    })
    expect(readLimits({ limitDown: 'fast' })).toMatchObject(badFlag('--limit-down'))
  })
})
