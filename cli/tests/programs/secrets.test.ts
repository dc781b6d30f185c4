/**
 * CODE-09: transfers by real programs leave no word of a code, no key and no name where others can read
 * them. THRU_LONG_TESTS=1 runs a hundred transfers.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { folderOfTest } from '#client/testing/temporary-folder'
import {
  filesBelow,
  openToOthers,
  search,
  type Secret,
  secretKey,
  secretText,
  type Trace,
  wordsOf,
} from './secrets/evidence'
import { RecordingProxy } from './secrets/recording-proxy'
import { WatchedPrograms } from './secrets/watched-programs'
import { linesOf, type Thru } from './thru'

const isLong = process.env['THRU_LONG_TESTS'] === '1'
const rounds = isLong ? 20 : 1
const atOnce = 3
const patienceMs = 60_000

/** Removes the code from the sender's own output, the only place where it is allowed. */
const withoutCodeLines = (printed: string): string =>
  printed.replace(/^(Code: |To receive: thru join |\{"type":"code",).*$/gm, '')

const random = (): string => randomBytes(6).toString('hex')

let folder: string
let programs: WatchedPrograms
let server: Thru
let proxy: RecordingProxy
let turnSecret: string
let secrets: Secret[]

beforeEach(async () => {
  folder = folderOfTest()
  for (const name of ['temporary', 'state', 'received', 'sent']) mkdirSync(join(folder, name))
  chmodSync(join(folder, 'state'), 0o700)
  programs = new WatchedPrograms()
  turnSecret = randomBytes(24).toString('base64url')
  const file = join(folder, 'turn-secret')
  writeFileSync(file, turnSecret, { mode: 0o600 })
  const relay = ['--turn-url', 'turn:127.0.0.1:9', '--turn-secret-file', file]
  const listening = ['--port', '0', '--host', '127.0.0.1', '--trust-loopback']
  const loudly = { env: { THRU_LOG_LEVEL: 'debug', TMPDIR: join(folder, 'temporary') } }
  server = programs.start(['serve', ...listening, ...relay], loudly, 'log')
  proxy = await RecordingProxy.open((await server.match(/ws:\/\/[^\s/]+/))[0])
  secrets = [secretText('TURN secret', turnSecret)]
})
afterEach(async () => {
  proxy.close()
  await programs.close()
})

/** Two people with a file and a computer each. */
class Pair {
  readonly #id = random()
  readonly hostName = `device-${random()}`
  readonly joinName = `device-${random()}`
  readonly file = join(folder, 'sent', `file-${random()}.bin`)
  readonly out = join(folder, 'received', this.#id)

  constructor(bytes = 200_000) {
    writeFileSync(this.file, randomBytes(bytes))
    const seen = ['frame', 'log'] as const
    const elsewhere = (['output', 'process', 'state', 'temporary', 'received'] as const).slice()
    for (const name of [this.hostName, this.joinName, this.file.split('/').at(-1) ?? '']) {
      secrets.push(secretText(`name, not in ${seen.join(' and ')}`, name, elsewhere))
    }
  }

  host(options: readonly string[] = []): Thru {
    const all = ['host', this.file, '--name', this.hostName, ...reachable(), ...options]
    return programs.start(all, this.#surroundings('host'), 'output', withoutCodeLines)
  }

  /** `input` is written to standard input; `variable` is THRU_CODE. */
  join(
    options: readonly string[],
    { input, variable }: { readonly input?: string; readonly variable?: string } = {},
  ): Thru {
    const all = ['join', ...options, '--out', this.out, '--yes', '--name', this.joinName]
    return this.run('join', [...all, ...reachable()], {
      ...(input === undefined ? {} : { input }),
      ...(variable === undefined ? {} : { THRU_CODE: variable }),
    })
  }

  run(side: 'host' | 'join', args: readonly string[], more: Record<string, string> = {}): Thru {
    const { input, ...env } = more
    const { env: own } = this.#surroundings(side)
    const options = input === undefined ? {} : { input }
    return programs.start(args, { env: { ...own, ...env }, ...options })
  }

  /** The receiver's resume key, once it is on the disk. */
  get resumeKey(): string | undefined {
    try {
      const { transfers } = this.state('join', 'transfers.json') as {
        readonly transfers: readonly { readonly resumeKey: { readonly key: string } | null }[]
      }
      return transfers[0]?.resumeKey?.key
    } catch {
      return undefined
    }
  }

  /** Writes these network settings for both sides. */
  configure(network: object): void {
    for (const side of ['host', 'join'] as const) {
      const settings = join(this.#surroundings(side).env.XDG_CONFIG_HOME, 'thruflux')
      mkdirSync(settings, { recursive: true, mode: 0o700 })
      const lines = Object.entries(network).map(([key, value]) => `${key} = ${tomlOf(value)}`)
      const written = ['[network]', ...lines].join('\n')
      writeFileSync(join(settings, 'config.toml'), written, { mode: 0o600 })
    }
  }

  state(side: 'host' | 'join', file: string): unknown {
    const path = join(folder, 'state', `${side}-${this.#id}`, 'thruflux', file)
    return JSON.parse(readFileSync(path, 'utf8'))
  }

  #surroundings(side: 'host' | 'join') {
    const state = join(folder, 'state', `${side}-${this.#id}`)
    mkdirSync(state, { recursive: true, mode: 0o700 })
    const settings = { XDG_CONFIG_HOME: join(state, 'config') }
    return { env: { XDG_STATE_HOME: state, ...settings, TMPDIR: join(folder, 'temporary') } }
  }
}

/** TOML writes inline tables like JSON, except for the sign after a key. */
const tomlOf = (value: unknown): string => JSON.stringify(value).replaceAll('":', '"=')

const reachable = (): readonly string[] => ['--server-url', proxy.url]

/** Records the words of a code as secrets, as soon as they are known. */
function learn(code: string): string {
  secrets.push(...wordsOf(code))
  return code
}

const codeOf = async (sender: Thru): Promise<string> =>
  learn((await sender.match(/\b\d{4,6}(?:-[a-z]{3,10}){3}\b/))[0])

async function expectReceived(receiver: Thru): Promise<void> {
  expect(await receiver.ended).toMatchObject({ exitCode: 0 })
}

async function byVariable(): Promise<void> {
  const pair = new Pair()
  const sender = pair.host()
  await expectReceived(pair.join([], { variable: await codeOf(sender) }))
  await sender.stop()
}

async function byStandardInput(): Promise<void> {
  const pair = new Pair()
  const sender = pair.host(['--json'])
  const input = `${await codeOf(sender)}\n`
  await expectReceived(pair.join(['-', '--json', '--safety-number', '-v'], { input }))
  await sender.stop()
}

async function byArgument(): Promise<void> {
  const pair = new Pair()
  const sender = pair.host(['--qr'])
  await expectReceived(pair.join([await codeOf(sender)]))
  await sender.stop()
}

/** A receive with wrong words, then one that is killed and resumed with its key. */
async function inSeveralAttempts(): Promise<void> {
  const pair = new Pair(4_000_000)
  const sender = pair.host(['--limit-up', '500k'])
  const code = await codeOf(sender)
  const [nameplate, first, second] = code.split('-')
  const wrong = learn([nameplate, second, first, first === 'acid' ? 'apple' : 'acid'].join('-'))
  expect(await pair.join([], { variable: wrong }).ended).toMatchObject({ exitCode: 3 })

  const killed = pair.join(['--json'], { variable: code })
  await killed.line('progress')
  const key = await vi.waitUntil(() => pair.resumeKey, { timeout: patienceMs })
  await killed.stop('SIGKILL')
  secrets.push(secretKey('resume key', key, ['state']))
  const resumed = pair.run('join', ['resume', '1', '--yes', '--json', ...reachable()])
  await resumed.line('progress')
  await expectReceived(resumed)
  await sender.stop()
}

/** The two sides become contacts, and their next transfer needs no code. */
async function asContacts(): Promise<void> {
  const pair = new Pair()
  const sender = pair.host(['--keep'])
  await expectReceived(pair.join(['-', '--keep'], { input: await codeOf(sender) }))
  await sender.stop()
  for (const side of ['host', 'join'] as const) {
    const kept = pair.state(side, 'contacts.json') as {
      readonly own: { readonly secret: string; readonly publicKey: string }
      readonly contacts: readonly { readonly key: string }[]
    }
    expect(kept.contacts).toHaveLength(1)
    secrets.push(
      secretKey('contact key', kept.contacts[0]?.key ?? '', ['state']),
      secretKey('own key', kept.own.secret, ['state']),
      secretKey('own public key', kept.own.publicKey, ['state']),
    )
    const listed = await pair.run(side, ['contacts', '--json']).ended
    expect(linesOf(listed.stdout)).toHaveLength(1)
  }
  const auto = ['contacts', 'auto', pair.hostName, join(pair.out, 'next')]
  expect(await pair.run('join', auto).ended).toMatchObject({ exitCode: 0 })
  const listener = pair.run('join', ['listen', '--json', '--name', pair.joinName, ...reachable()])
  const again = pair.host(['--json', '--to', pair.joinName])
  await listener.line('done')
  expect(await again.ended).toMatchObject({ exitCode: 0 })
  await listener.stop()
}

/** Each side's settings contain passwords for a server, a relay and a proxy. */
async function withPasswords(): Promise<void> {
  const pair = new Pair()
  const [ofServer, ofRelay, ofProxy] = [random(), random(), random()]
  const known = { name: 'Team', url: proxy.url, password: ofServer }
  const servers = [{ ...known, turn: [`turn:mina:${ofRelay}@127.0.0.1:9`] }]
  secrets.push(
    // `ws:` sends it unencrypted.
    secretText('password of a server', ofServer, ['state', 'frame']),
    secretText('password of a relay', ofRelay, ['state']),
    secretText('password of a proxy', ofProxy, ['state']),
  )
  pair.configure({ servers, proxy: `http://mina:${ofProxy}@127.0.0.1:9` })
  const sender = pair.host(['-v'])
  await expectReceived(pair.join(['--json'], { variable: await codeOf(sender) }))
  await sender.stop()
  for (const form of [[], ['--json']]) {
    const listed = await pair.run('host', ['config', ...form]).ended
    expect(listed.stdout).toContain('turn:mina:…@127.0.0.1:9')
  }
}

const kinds = [
  ...[byVariable, byStandardInput, byArgument, inSeveralAttempts, asContacts],
  ...[withPasswords],
]

/** All observations, including the current state directories. */
const traces = (): readonly Trace[] => [
  ...programs.traces,
  ...proxy.traces,
  ...filesBelow('state', join(folder, 'state')),
  ...filesBelow('temporary', join(folder, 'temporary')),
  ...filesBelow('received', join(folder, 'received')),
]

it.runIf(process.platform === 'linux')(
  `CODE-09 ${rounds * kinds.length} transfers leave no secret where others may look`,
  { tags: ['full'], timeout: rounds * 120_000 },
  async () => {
    const waiting = Array.from({ length: rounds }, () => kinds).flat()
    const work = async (): Promise<void> => {
      for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) await run()
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await server.stop()
    // Data useful to an eavesdropper is sealed.
    expect(proxy.fieldsOf('turn', 'credential')).toEqual([])
    expect(proxy.fieldsOf('pass', 'pass')).toEqual([])
    expect(proxy.fieldsOf('join', 'pass')).toEqual([])
    expect(proxy.fieldsOf('sealed', 'box').length).toBeGreaterThan(0)
    expect(programs.looks).toBeGreaterThan(0)
    expect(search(traces(), secrets)).toEqual([])
    expect(openToOthers(join(folder, 'state'))).toEqual([])
  },
)

describe.runIf(process.platform === 'linux')('CODE-09 a secret would be found', () => {
  const planted = 'apple-kayak-onion'
  const wanted = wordsOf(`4821-${planted}`)
  const endpointsOf = (found: ReturnType<typeof search>): ReadonlySet<string> =>
    new Set(found.map(({ where }) => where.split(' ')[0] ?? ''))

  it('in the output of programs, and in the log', async () => {
    await programs.start(['host', `/nowhere/${planted}`]).ended
    await programs.start(['serve', '--port', planted], {}, 'log').ended
    expect(endpointsOf(search(traces(), wanted))).toEqual(new Set(['output', 'log']))
  })

  it('in the environment of a program', async () => {
    const env = { PLANTED: planted }
    const program = programs.start(['host', folder, ...reachable()], { env })
    await program.match(/Code: /)
    await expect
      .poll(() => endpointsOf(search(traces(), wanted)), { timeout: patienceMs })
      .toEqual(new Set(['process']))
  })

  it('in messages through the server', async () => {
    const socket = new WebSocket(`${proxy.url}/v1`)
    await new Promise((resolve) => socket.once('open', resolve))
    const body = Buffer.from(`..${planted}..`).toString('base64url')
    socket.send(JSON.stringify({ t: 'join', v: 1, nameplate: '1000', body }))
    await expect
      .poll(() => search(traces(), wanted).length, { timeout: patienceMs })
      .toBeGreaterThan(0)
    expect(endpointsOf(search(traces(), wanted))).toEqual(new Set(['frame']))
  })

  it.each(['state', 'temporary', 'received'])('in files: %s', (place) => {
    const bytes = Buffer.from(planted)
    for (const [name, content] of [
      ['raw', bytes],
      ['hex', bytes.toString('hex')],
      ['base64', Buffer.concat([Buffer.alloc(7), bytes]).toString('base64')],
      ['base64url', Buffer.concat([bytes, Buffer.alloc(5)]).toString('base64url')],
      [planted, ''],
    ] as const) {
      const file = join(folder, place, name)
      writeFileSync(file, content)
      expect(endpointsOf(search(traces(), wanted)), name).toEqual(new Set([place]))
      rmSync(file)
    }
  })

  it('and a file that others can read', () => {
    writeFileSync(join(folder, 'state', 'file'), '', { mode: 0o644 })
    expect(openToOthers(join(folder, 'state'))).toHaveLength(1)
  })
})
