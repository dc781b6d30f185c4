/** The addon keeps the promises of native/index.d.ts. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Engine, EngineCommand, EngineEvent } from '../index.js'
import { addon, noIce } from './addon.js'

const engines: Engine[] = []
const open = (onEvents: (events: readonly EngineEvent[]) => void = () => undefined): Engine => {
  const engine = addon.createEngine(onEvents)
  engines.push(engine)
  return engine
}
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
})

const openShare: EngineCommand = {
  type: 'open-share',
  installation: 'A'.repeat(43),
  session: 1,
  items: [{ kind: 'path', path: '/nowhere/at/all' }],
  exclude: [],
  links: true,
  followLinks: false,
  ignoreFiles: false,
  maxReceivers: 10,
  oneReceiver: false,
  approval: false,
  browsers: true,
  name: 'n',
  ice: noIce,
  restored: null,
  storesAdmission: false,
}
const stream = { kind: 'stream', name: 'n', receivers: 1 } as const
const known = { key: 'A'.repeat(43), next: null, hasPlace: true }
const relay = { host: 'h', port: 1, user: 'u', password: 'p', transport: 'tcp' }
const proxy = { kind: 'http', host: 'h', port: 1, user: '', password: '' }
const record = { share: '0'.repeat(32), wrong: 0, wrongOfShare: 0, receivers: [known] }
const openReceive: EngineCommand = {
  type: 'open-receive',
  session: 1,
  receiveId: '0123456789abcdef0123456789abcdef',
  nameplate: '4821',
  secret: { kind: 'words', words: 'apple-river-stone' },
  peer: 'p',
  name: 'n',
  ice: noIce,
}
const defaultOptions = {
  ...{ conflict: 'keep-both', compareContent: false, resume: true, verify: false },
  ...{ keepTimes: true, keepExecutable: true, keepAttributes: false },
  ...{ makeLinks: true, makeEmptyFolders: true },
  ...{ portableNames: false, choices: [], mark: true },
}
const noSelection = { only: [], except: [], first: [] }

describe('the addon', () => {
  it('exports exactly the functions that its declarations name', () => {
    const file = resolve(import.meta.dirname, '../index.d.ts')
    const declared = readFileSync(file, 'utf8').matchAll(/^export function (\w+)/gm)
    expect(Object.keys(addon).sort()).toEqual(Array.from(declared, ([, name]) => name).sort())
  })

  it('makes codes of three words that it recognizes', () => {
    const words = addon.newWords()
    expect(words).toMatch(/^[a-z]{3,10}-[a-z]{3,10}-[a-z]{3,10}$/)
    expect(addon.isJoinCode(`4821-${words}`)).toBe(true)
    expect(addon.isJoinCode(words)).toBe(false)
    expect(addon.isJoinCode(`0821-${words}`)).toBe(false)
    expect(addon.isJoinCode(`4821-${words}x`)).toBe(false)
    expect(addon.isJoinCode(42 as unknown as string)).toBe(false)
  })

  it('never gives the same words twice in a thousand', () => {
    expect(new Set(Array.from({ length: 1000 }, () => addon.newWords())).size).toBe(1000)
  })

  it('reports the socket buffers that the system grants, and refuses an empty probe', async () => {
    const { receive, send } = addon.socketBuffers(2 ** 16)
    expect(Math.min(receive, send)).toBeGreaterThan(0)
    expect(() => addon.probePath('127.0.0.1', 0, [1200])).toThrow(TypeError)
    expect(await addon.probePath('nowhere.example', 3478, [1200])).toBe(0)
    expect(await addon.probePath('127.0.0.1', 3478, [100_000, -4, 23])).toBe(0)
  })

  it('names the versions of what is linked in', () => {
    const versions = addon.versions()
    for (const name of ['engine', 'ngtcp2', 'openssl', 'nice', 'sodium', 'blake3', 'zstd'])
      expect(versions[name]).toMatch(/^\d+\.\d+/)
  })

  it('refuses malformed commands with a TypeError that names the field', () => {
    const engine = open()
    const accept = {
      type: 'accept',
      session: 1,
      directory: '/d',
      selection: noSelection,
      options: defaultOptions,
    }
    const listOffer = {
      ...{ type: 'list-offer', session: 1, path: '', query: '' },
      ...{ offset: 0, limit: 1 },
    }
    const listFiles = {
      ...{ type: 'list-files', session: 1, peer: '', request: 0, filter: 'all', query: '' },
      ...{ offset: 0, limit: 1 },
    }
    const refused: readonly (readonly [unknown, string])[] = [
      [undefined, 'object'],
      [{ type: 'explode' }, 'type'],
      [{ type: 'detach-session', session: 0 }, 'session'],
      [{ type: 'probe-peer', session: 0 }, 'session'],
      [{ type: 'end-session', session: 0 }, 'session'],
      [{ type: 'end-session', session: 1.5 }, 'session'],
      [{ type: 'end-session', session: 2 ** 31 }, 'session'],
      [{ type: 'set-code', session: 1, code: 7 }, 'code'],
      [{ type: 'signal', session: 1, peer: 'x'.repeat(65), payload: '' }, 'peer'],
      [{ ...openShare, items: 'a' }, 'items'],
      [{ ...openShare, items: [1] }, 'items'],
      [{ ...openShare, items: [{ kind: 'path' }] }, 'path'],
      [{ ...openShare, items: [{ kind: 'text', name: 'n' }] }, 'text'],
      [{ ...openShare, items: [{ ...stream, descriptor: -1 }] }, 'descriptor'],
      [{ ...openShare, items: [{ ...stream, size: 0.5 }] }, 'size'],
      [{ ...openShare, items: [{ ...stream, awaitsProducer: 1 }] }, 'awaitsProducer'],
      [{ ...openShare, watchFiles: 1 }, 'watchFiles'],
      [{ ...openReceive, watchFiles: 'yes' }, 'watchFiles'],
      [{ type: 'end-stream', session: 1 }, 'complete'],
      [{ ...openShare, exclude: [1] }, 'exclude'],
      [{ ...openShare, links: 'yes' }, 'links'],
      [{ ...openShare, ignoreFiles: 1 }, 'ignoreFiles'],
      [{ ...openShare, attributes: 1 }, 'attributes'],
      [{ ...openShare, maxReceivers: 1001 }, 'maxReceivers'],
      [{ ...openShare, ice: undefined }, 'ice'],
      [{ ...openShare, ice: { ...noIce, stun: [{ host: 'h', port: 70000 }] } }, 'port'],
      [{ ...openShare, ice: { ...noIce, turn: [{ ...relay, proxy: 7 }] } }, 'proxy'],
      [
        { ...openShare, ice: { ...noIce, turn: [{ ...relay, proxy: { ...proxy, kind: 'x' } }] } },
        'kind',
      ],
      [
        { ...openShare, ice: { ...noIce, turn: [{ ...relay, proxy: { ...proxy, port: 0 } }] } },
        'port',
      ],
      [{ ...openShare, ice: { ...noIce, turn: [{ ...relay, transport: 'wss' }] } }, 'path'],
      [
        { ...openShare, ice: { ...noIce, turn: [{ ...relay, transport: 'ws', path: '/a\r\nb' }] } },
        'path',
      ],
      [{ ...openShare, installation: `${'A'.repeat(42)}B` }, 'installation'],
      [{ ...openShare, restored: undefined }, 'restored'],
      [{ ...openShare, restored: { ...record, share: 'short' } }, 'share'],
      [{ ...openShare, restored: { ...record, wrong: -1 } }, 'wrong'],
      [{ ...openShare, restored: { ...record, receivers: [{ ...known, key: 'k' }] } }, 'key'],
      [{ ...openShare, restored: { ...record, receivers: [{ ...known, next: 1 }] } }, 'next'],
      [
        { ...openShare, restored: { ...record, receivers: Array<unknown>(2001).fill(known) } },
        'receivers',
      ],
      [{ ...openShare, approval: 1 }, 'approval'],
      [{ type: 'approve-peer', session: 1, peer: 'p', approved: 'yes' }, 'approved'],
      [{ type: 'set-approval', session: 1 }, 'wanted'],
      [{ type: 'suspend-share', session: 0 }, 'session'],
      [{ type: 'confirm-admission', session: 1, revision: -1 }, 'revision'],
      [{ ...openReceive, receiveId: 'short' }, 'receiveId'],
      [{ ...openReceive, prefetch: 1 }, 'prefetch'],
      [{ ...openReceive, attributes: 1 }, 'attributes'],
      [{ type: 'accept', session: 1, directory: '/d', selection: noSelection }, 'options'],
      [{ ...accept, options: { ...defaultOptions, mark: 1 } }, 'mark'],
      [{ ...accept, options: { ...defaultOptions, choices: ['a'] } }, 'choices'],
      [
        { ...accept, options: { ...defaultOptions, choices: [{ path: 'a', policy: 'ask' }] } },
        'policy',
      ],
      [
        { ...accept, options: { ...defaultOptions, choices: Array<unknown>(1001).fill({}) } },
        'choices',
      ],
      [{ ...accept, options: { ...defaultOptions, renames: [{ item: 'a' }] } }, 'name'],
      [
        { ...accept, options: { ...defaultOptions, renames: Array<unknown>(1001).fill({}) } },
        'renames',
      ],
      [{ ...listOffer, renames: [{ item: 'a' }] }, 'name'],
      [{ ...accept, autoAccept: undefined }, 'autoAccept'],
      [{ ...accept, autoAccept: { maxBytes: -1 } }, 'maxBytes'],
      [{ ...accept, autoAccept: null, toOutput: 1 }, 'toOutput'],
      [{ ...listFiles, filter: 'funny' }, 'filter'],
      [{ ...listFiles, request: -1 }, 'request'],
      [{ ...listFiles, query: 7 }, 'query'],
      [{ ...listFiles, offset: 2_097_153 }, 'offset'],
      [{ ...listFiles, limit: 1001 }, 'limit'],
      [{ type: 'prioritize', session: 1, patterns: 'a' }, 'patterns'],
      [{ type: 'set-paused', session: 1, peer: '', paused: 1 }, 'paused'],
      [{ type: 'set-limits', upload: -1, download: 0 }, 'upload'],
      [{ type: 'set-transport', connectionWindow: -1, socketBuffers: 0 }, 'connectionWindow'],
      [{ type: 'set-background', enabled: 1 }, 'enabled'],
      [{ type: 'set-qlog', directory: 5 }, 'directory'],
      [{ type: 'add-mapping', port: { address: '10.0.0.2', port: 0 }, mapped: null }, 'port'],
      [{ type: 'add-mapping', port: { address: '10.0.0.2', port: 9 }, mapped: 9 }, 'mapped'],
      [{ type: 'set-stun', session: 1, stun: [{ host: 'a', port: 0 }] }, 'port'],
      [{ type: 'answer-name', question: 0, address: null }, 'question'],
      [{ type: 'answer-name', question: 1, address: 'f'.repeat(65) }, 'address'],
    ]
    for (const [command, field] of refused)
      expect(() => engine.post(command as EngineCommand), field).toThrow(
        new RegExp(`^.*${field}.*$`),
      )
  })

  it('answers E_ENGINE_CLOSED after closing, however often it is closed', async () => {
    const engine = open()
    expect(engine.post({ type: 'end-session', session: 1 })).toBeNull()
    await Promise.all([engine.close(), engine.close()])
    await engine.close()
    expect(engine.post({ type: 'end-session', session: 1 })).toBe('E_ENGINE_CLOSED')
  })

  it('reports a share of nothing as an event, not as an exception', async () => {
    const failed = new Promise<EngineEvent>((resolve) => {
      open((events) => {
        const failure = events.find((event) => event.type === 'failed')
        if (failure) resolve(failure)
      }).post(openShare)
    })
    expect(await failed).toMatchObject({ session: 1, error: { code: 'E_NOTHING_TO_SEND' } })
  })

  it('runs several engines in one process', async () => {
    const all = Array.from({ length: 5 }, () => open())
    await Promise.all(all.map((engine) => engine.close()))
  })
})
