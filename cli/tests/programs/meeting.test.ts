/** `thru` without a server, with the relay program of another project as a public meeting point. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { programRig } from './program-rig'
import { linesOf, Thru } from './thru'
import { bytesOf, hashTree, writeTree } from './tree'

const { at, start } = programRig('meeting')

const relayProgram = fileURLToPath(new URL('nostr-relay.mjs', import.meta.url))

/** Starts a relay; `options` make `thru` use it together with two that are down. */
async function relay() {
  const program = new Thru([], { program: [process.execPath, relayProgram] })
  const [url] = await program.match(/ws:\S+/)
  const urls = ['ws://127.0.0.1:9', url, 'ws://127.0.0.1:10']
  // Only addresses on this computer may be asked.
  const stun = ['--stun-server', 'stun:127.0.0.1:9']
  return {
    program,
    options: ['--json', ...urls.flatMap((each) => ['--meeting-relay', each]), ...stun],
  }
}

it('two computers meet at a public relay, two of three of which are down', async () => {
  const { program, options } = await relay()
  writeTree(at('src'), { 'notes.txt': 'remember' })
  const sender = start(['host', at('src', 'notes.txt'), ...options])
  const { code, reach, meeting } = await sender.line('code')
  expect({ reach, meeting }).toEqual({ reach: 'anywhere', meeting: 'there' })
  expect(code).toMatch(/^\d{6}-/)
  const receiver = start(['join', String(code), '--out', at('dst'), '--yes', ...options])
  expect((await receiver.ended).exitCode).toBe(0)
  expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
  await sender.stop()
  const { stdout } = await program.stop()
  // A claim by the sender, and four events from each side.
  expect(stdout.match(/event 28472/g)?.length).toBeLessThanOrEqual(10)
})

it('with --no-meeting no relay is connected, even a named one', async () => {
  const { program, options } = await relay()
  writeTree(at('src'), { 'notes.txt': 'remember' })
  const sender = start(['host', at('src', 'notes.txt'), ...options, '--no-meeting'])
  expect(await sender.line('code')).toMatchObject({ reach: 'computer' })
  await sender.stop()
  const { stdout } = await program.stop()
  expect(stdout).not.toContain('connection')
})

it('a receiver finds its sender again after a restart', async () => {
  const { program, options } = await relay()
  const account = (name: string) => ({ env: { XDG_STATE_HOME: at(name) } })
  writeTree(at('src'), { 'large.bin': bytesOf('large', 12 << 20) })
  const sharing = ['host', at('src'), '--limit-up', '4MiB', ...options]
  const sender = start(sharing, account('sender'))
  const { code } = await sender.line('code')
  const joining = ['join', String(code), '--out', at('dst'), '--yes', ...options]
  const receiver = start(joining, account('receiver'))
  await receiver.lines('progress', 3)
  await sender.stop('SIGKILL')
  const again = start(['host', '--resume', ...options], account('sender'))
  expect(await again.line('code')).toMatchObject({ code, meeting: 'there' })
  expect((await receiver.ended).exitCode).toBe(0)
  expect(hashTree(at('dst', 'src'))).toEqual(hashTree(at('src')))
  await again.stop()
  await program.stop()
})

it('wrong words open nothing for those who know the number, and the right ones still do', async () => {
  const { program, options } = await relay()
  writeTree(at('src'), { 'notes.txt': 'remember' })
  const sender = start(['host', at('src', 'notes.txt'), ...options])
  const { code } = await sender.line('code')
  const [nameplate] = String(code).split('-')
  const join = (words: string) => ['join', words, '--out', at('dst'), '--yes', ...options]
  const wrong = await start(join(`${nameplate}-apple-kayak-onion`)).ended
  expect(linesOf(wrong.stdout).at(-1)).toMatchObject({ type: 'error', code: 'E_CODE_MISMATCH' })
  expect(await sender.line('guesses')).toMatchObject({ wrong: 1 })
  expect((await start(join(String(code))).ended).exitCode).toBe(0)
  await sender.stop()
  await program.stop()
})

it.skipIf(process.platform !== 'linux')(
  'contacts reach each other without a code',
  { tags: ['full'] },
  async () => {
    const { program, options } = await relay()
    const plain = options.filter((option) => option !== '--json')
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const here = { env: { XDG_STATE_HOME: at('here') } }
    const there = { env: { XDG_STATE_HOME: at('there') } }
    const sharing = ['host', at('src'), '--name', 'Mina', ...plain]
    const sender = start(sharing, { ...here, isOnTerminal: true })
    const [, code = ''] = await sender.match(/Code: (\S+)/)
    const joining = ['join', code, at('in'), '--yes', '--keep', '--name', 'Bea', ...options]
    const receiver = start(joining, there)
    await sender.match(/Add Bea too\? \[y\/N\]/)
    sender.type('y\n')
    await receiver.lineWhere('contact-request', ({ state }) => state === 'accepted')
    expect((await receiver.ended).exitCode).toBe(0)
    sender.type('\u0003')
    await sender.ended
    const auto = ['contacts', 'auto', 'Mina', at('auto')]
    expect((await start(auto, there).ended).exitCode).toBe(0)

    const listener = start(['listen', ...options], there)
    await listener.lineWhere('reachable', ({ phase }) => phase === 'on')
    const sent = await start(['host', at('src'), '--to', 'Bea', ...plain], here).ended
    expect(sent.exitCode).toBe(0)
    expect(hashTree(at('auto', 'src'))).toEqual(hashTree(at('src')))
    await listener.stop()
    await program.stop()
  },
)
