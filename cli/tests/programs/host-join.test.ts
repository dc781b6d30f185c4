import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { linesOf, type Thru } from './thru'
import { album, hashTree, writeTree } from './tree'

const { at, serverUrl, start, thru } = programRig('cli')

const host = (...paths: readonly string[]): Thru =>
  thru(['host', ...paths, '--json', '--name', 'Mina'])
const joinInto = (code: string, out: string): Thru =>
  thru(['join', code, '--out', out, '--yes', '--json', '--name', 'Jonas'])

const mixed = { ...album(), 'notes.txt': 'remember' }

describe('a transfer', () => {
  it('brings files and folders with every name and byte', async () => {
    writeTree(at('src'), mixed)
    const sender = host(at('src', 'album'), at('src', 'notes.txt'))
    const receiver = joinInto(await codeOf(sender), at('dst', 'new'))
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    expect(hashTree(at('dst', 'new'))).toEqual(hashTree(at('src')))

    const lines = linesOf(stdout)
    const types = lines.map(({ type }) => type)
    expect(types.filter((type) => ['offer', 'accepted', 'done'].includes(type))).toEqual([
      'offer',
      'accepted',
      'done',
    ])
    expect(lines.find(({ type }) => type === 'offer')).toMatchObject({ from: 'Mina', files: 6 })
    expect(lines.find(({ type }) => type === 'done')).toMatchObject({ files: 6, problems: 0 })
    await sender.line('done')
    expect((await sender.stop()).exitCode).toBe(0)
  })

  it('works with words chosen by the sender', async () => {
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const sender = thru(['host', at('src', 'notes.txt'), '--json', '--words', 'Apple Kayak Onion'])
    const code = await codeOf(sender)
    expect(code).toMatch(/^\d{4,6}-apple-kayak-onion$/)
    expect((await joinInto(code, at('dst')).ended).exitCode).toBe(0)
    expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
    await sender.stop()
  })

  it('serves several receivers with one code', async () => {
    writeTree(at('src'), mixed)
    const sender = host(at('src', 'album'))
    const code = await codeOf(sender)
    const endings = await Promise.all(['a', 'b', 'c'].map((name) => joinInto(code, at(name)).ended))
    expect(endings.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    const sent = hashTree(at('src', 'album'))
    for (const name of ['a', 'b', 'c']) expect(hashTree(at(name, 'album'))).toEqual(sent)
  })

  it('writes into the working folder without --out', async () => {
    writeTree(at('src'), { 'notes.txt': 'remember' })
    mkdirSync(at('here'))
    const code = await codeOf(host(at('src', 'notes.txt')))
    const receiver = thru(['join', code, '--yes'], { cwd: at('here') })
    const { exitCode, stdout, stderr } = await receiver.ended
    expect(exitCode).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain('Verified.')
    expect(readFileSync(at('here', 'notes.txt'), 'utf8')).toBe('remember')
  })

  it('updates an existing file with the chunks that changed, wherever the others are', async () => {
    // Always the same: other bytes may end with a chunk that is too short to be compared.
    const newer = createHash('shake256', { outputLength: 20_000_000 }).update('disk').digest()
    const older = Buffer.concat([newer.subarray(0, 7_000_000), newer.subarray(7_000_100)])
    writeTree(at('src'), { 'disk.img': newer })
    writeTree(at('dst'), { 'disk.img': older })
    // The same size and time would be no conflict.
    const time = new Date(1_700_000_000_000)
    utimesSync(at('src', 'disk.img'), time, time)
    const sender = host(at('src', 'disk.img'))
    const code = await codeOf(sender)
    const receiver = thru(['join', code, at('dst'), '--yes', '--json', '--conflict', 'update'])
    const done = await receiver.line('done')
    const transferred = Number(done['transferred'])
    expect(transferred).toBeLessThan(2 * 65_536)
    // The changed chunks are one segment, which ends with its hash.
    const changed = transferred - 32
    expect(done).toMatchObject({ bytes: newer.length, reusedBytes: newer.length - changed })
    expect(done).toMatchObject({ renamed: 0, problems: 0 })
    expect((await receiver.ended).exitCode).toBe(0)
    expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
    await sender.stop()
  })

  it('keeps an existing file and saves the new one next to it', async () => {
    writeTree(at('src'), { 'notes.txt': 'new' })
    writeTree(at('dst'), { 'notes.txt': 'older' })
    const receiver = joinInto(await codeOf(host(at('src', 'notes.txt'))), at('dst'))
    expect(await receiver.line('done')).toMatchObject({ files: 1, renamed: 1, problems: 0 })
    expect((await receiver.ended).exitCode).toBe(0)
    expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe('older')
    const others = Object.keys(hashTree(at('dst'))).filter((name) => name !== 'notes.txt')
    expect(others).toHaveLength(1)
    expect(readFileSync(at('dst', others[0] ?? ''), 'utf8')).toBe('new')
  })
})

describe('the result of a transfer', () => {
  const same = (): void => {
    writeTree(at('src'), { 'notes.txt': 'Hello there', 'more.txt': 'more' })
    writeTree(at('dst'), { 'notes.txt': 'Hullo there' })
    const time = new Date(1_700_000_000_000)
    for (const folder of ['src', 'dst']) utimesSync(at(folder, 'notes.txt'), time, time)
  }

  it('calls no existing file verified, at either end', async () => {
    same()
    const sender = thru(['host', at('src', 'notes.txt'), '--once', '--name', 'Mina'])
    const [, code = ''] = await sender.match(/(\d{4,6}(?:-[a-z]{3,10}){3})/)
    const receiver = thru(['join', code, at('dst'), '--yes', '--name', 'Jonas'])
    const received = await receiver.ended
    expect(received).toMatchObject({ exitCode: 0, stdout: '' })
    expect(received.stderr).toContain(
      'Nothing new: 1 file was already here (same size and time, not compared)\n',
    )
    const { exitCode: sent, stderr } = await sender.ended
    expect(sent).toBe(0)
    expect(stderr).toContain(
      'Jonas: Nothing new: 1 file was already there (same size and time, not compared)',
    )
    expect(received.stderr + stderr).not.toContain('erified')
  })

  it('compares content if requested', async () => {
    same()
    const sender = host(at('src', 'notes.txt'), at('src', 'more.txt'))
    const code = await codeOf(sender)
    const into = [
      'join',
      code,
      at('dst'),
      '--yes',
      '--json',
      '--set',
      'receiving.compareContent=yes',
    ]
    expect((await thru([...into, '--conflict', 'replace']).ended).exitCode).toBe(0)
    expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe('Hello there')
    const again = thru([...into, '--set', 'receiving.prefetch=no'])
    const figures = { files: 2, identical: 2, identicalBytes: 15, uncompared: 0, transferred: 0 }
    expect(await again.line('done')).toMatchObject(figures)
    expect((await again.ended).exitCode).toBe(0)
    await sender.stop()
  })

  it('reports the selected part of the offer to the sender', async () => {
    same()
    const sender = thru(['host', at('src'), '--once', '--name', 'Mina'])
    const [, code = ''] = await sender.match(/(\d{4,6}(?:-[a-z]{3,10}){3})/)
    const receiver = thru([
      'join',
      code,
      at('in'),
      '--yes',
      '--json',
      '--exclude',
      'more.txt',
      '--name',
      'Jonas',
    ])
    const part = { files: 1, offeredFiles: 2, unwantedFiles: 1, identical: 0, readBack: false }
    expect(await receiver.line('done')).toMatchObject(part)
    const { exitCode, stderr } = await sender.ended
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/Jonas: Verified\. 1 file · 11 B in .* · 1 of 2 files, their choice/)
  })
})

describe('an unreadable path', () => {
  it('is reported, and the rest arrives', async () => {
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const sender = host(at('src', 'missing'), at('src', 'notes.txt'))
    expect(await sender.line('problem')).toMatchObject({
      path: at('src', 'missing'),
      code: 'E_PATH_NOT_FOUND',
    })
    expect((await joinInto(await codeOf(sender), at('dst')).ended).exitCode).toBe(0)
    expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
    await sender.line('done')
    expect((await sender.stop()).exitCode).toBe(8)
  })

  it('ends the command if nothing else is left', async () => {
    const { exitCode, stdout } = await host(at('missing')).ended
    expect(exitCode).toBe(9)
    expect(linesOf(stdout).map(({ type, code }) => [type, code])).toEqual([
      ['problem', 'E_PATH_NOT_FOUND'],
      ['error', 'E_NOTHING_TO_SEND'],
    ])
  })
})

describe('a target', () => {
  it('that is not writable is an error', async () => {
    writeTree(at(''), { 'src/notes.txt': 'remember', 'a file': '' })
    const receiver = joinInto(await codeOf(host(at('src'))), at('a file', 'below'))
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(7)
    expect(linesOf(stdout)).toContainEqual(
      expect.objectContaining({ type: 'error', code: 'E_TARGET_NOT_WRITABLE' }),
    )
  })
})

describe('an end in the middle', () => {
  /** Makes a transfer take far longer than a signal takes to arrive. */
  const slow = ['--limit-up', '20MiB'] as const
  const large = (): string => {
    writeFileSync(at('large.bin'), randomBytes(60_000_000))
    return at('large.bin')
  }

  it('of the sender by its user is reported as E_STOPPED', async () => {
    const sender = host(large(), ...slow)
    const receiver = joinInto(await codeOf(sender), at('dst'))
    await receiver.line('progress')
    expect((await sender.stop()).exitCode).toBe(130)
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(6)
    expect(linesOf(stdout)).toContainEqual(
      expect.objectContaining({ type: 'error', code: 'E_STOPPED' }),
    )
  })

  it("of the receiver doesn't stop the sender", async () => {
    const sender = host(large(), ...slow)
    const code = await codeOf(sender)
    const receiver = joinInto(code, at('dst'))
    await receiver.line('progress')
    expect((await receiver.stop('SIGTERM')).exitCode).toBe(143)
    await sender.line('error')
    const next = joinInto(code, at('next'))
    await next.line('progress')
  })

  it("of the server doesn't affect connected receivers", { tags: ['full'] }, async () => {
    const own = start(['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback'])
    const [url] = await own.match(/ws:\S+/)
    const sender = start(['host', large(), ...slow, '--json', '--server-url', url])
    const code = await codeOf(sender)
    const receiver = start([
      ...['join', code, '--out', at('dst'), '--yes', '--json', '--server-url', url],
    ])
    await receiver.line('progress')
    await own.stop('SIGKILL')
    await sender.line('reconnecting')
    expect(await receiver.line('done')).toMatchObject({ files: 1, problems: 0 })
    expect((await receiver.ended).exitCode).toBe(0)
  })
})

describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
  const ask = (code: string): Thru =>
    thru(['join', code, '--out', at('dst')], { isOnTerminal: true })

  it('shows what is offered and receives it after a yes', async () => {
    writeTree(at('src'), mixed)
    const receiver = ask(await codeOf(host(at('src', 'album'))))
    await receiver.match(/Receive into .* \[y\/N\]/)
    receiver.type('y\n')
    await receiver.match(/Keys: space/)
    const { exitCode, stdout } = await receiver.ended
    expect(stdout).toMatch(/Mina offers:\s+album\/ · 5 files · 9\.3 MB/)
    expect(stdout).toMatch(/Verified\. [\d,]+ files? · 9\.3 MB/)
    expect(exitCode).toBe(0)
    expect(hashTree(at('dst', 'album'))).toEqual(hashTree(at('src', 'album')))
  })

  it('receives nothing after any other answer', async () => {
    writeTree(at(''), { 'src/notes.txt': 'remember', dst: null })
    const sender = host(at('src'))
    const receiver = ask(await codeOf(sender))
    await receiver.match(/\[y\/N\]/)
    receiver.type('\n')
    expect((await receiver.ended).exitCode).toBe(11)
    expect(hashTree(at('dst'))).toEqual({})
    expect(await sender.line('error')).toMatchObject({ code: 'E_DECLINED' })
  })
})

describe('a command line', () => {
  it('without --yes needs a terminal', async () => {
    const { exitCode, stderr } = await thru(['join', '4821-elephant-receipt-atom']).ended
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--yes')
  })

  it.each([
    ['an unknown option', ['host', '.', '--frobnicate']],
    ['no paths', ['host']],
    ['an address that is none', ['host', '.', '--server-url', 'somewhere']],
    ['a STUN server that is none', ['host', '.', '--stun-server', 'somewhere']],
    ['an unknown use of relays', ['host', '.', '--relay', 'sometimes']],
    ['a port that is none', ['serve', '--port', '99999']],
  ])('with %s is refused', async (_what, args) => {
    const { exitCode, stdout, stderr } = await start(args).ended
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).not.toBe('')
  })

  it("can't listen to standard output", async () => {
    const { exitCode, stderr } = await start(['listen', '--out', '-']).ended
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Pass a folder to --out.')
  })

  it("TURN-14: that allows only relays is refused by this computer's server, which has none", async () => {
    const { exitCode, stdout } = await start(['host', '.', '--relay', 'only', '--json']).ended
    expect(exitCode).toBe(5)
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: 'error', code: 'E_NO_RELAY' })
  })

  it('prints its version and its help', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await start(['--version']).ended).toMatchObject({ exitCode: 0, stdout: `${version}\n` })
    expect((await start(['--help']).ended).stdout).toContain('Exit codes')
    expect((await start(['serve', '--help']).ended).stdout).toContain('--max-sessions')
  })

  it("can't serve on a port in use", async () => {
    const args = ['serve', '--port', new URL(serverUrl()).port, '--host', '127.0.0.1']
    expect((await start(args).ended).exitCode).toBe(2)
  })
})
