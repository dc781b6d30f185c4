/** Dialogs with a person on a terminal, with real programs. */
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { bytesOf, hashTree, writeTree } from './tree'

const { at, start, thru } = programRig('first')

describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
  it(
    'a wrong code is asked for again, and a question explains itself',
    { tags: ['full'] },
    async () => {
      writeTree(at('src'), { 'notes.txt': 'remember' })
      const code = await codeOf(thru(['send', at('src', 'notes.txt'), '--json']))
      const [nameplate = ''] = code.split('-')
      const wrong = code.endsWith('-kayak-onion-apple') ? 'onion-kayak-apple' : 'kayak-onion-apple'
      const receiver = thru(['receive', '--out', at('in')], { isOnTerminal: true })
      await receiver.match(/Join code .*: /)
      receiver.type(`${nameplate}-${wrong}\n`)
      await receiver.match(/words don't match[^]*Join code .*: /)
      receiver.type(`${code}\n`)
      await receiver.match(/\[y\/N\]/)
      receiver.type('?\n')
      await receiver.match(/n declines and lets the sender know[^]*\[y\/N\]/)
      receiver.type('y\n')
      expect((await receiver.ended).exitCode).toBe(0)
      expect(hashTree(at('in'))).toEqual(hashTree(at('src')))
    },
  )

  it('a key adds a path, which Tab completes, to a running share', async () => {
    writeTree(at(), { 'first.txt': 'one', 'second/notes.txt': 'two' })
    const sender = thru(['host', 'first.txt'], { isOnTerminal: true, cwd: at() })
    const [, code = ''] = await sender.match(/Code: ([\w-]+)/)
    await sender.match(/a adds a file or folder/)
    sender.type('a')
    await sender.match(/Add a file or folder[^]*: /)
    sender.type('sec\t')
    await sender.match(/second\//)
    sender.type('\n')
    await sender.match(/Added second\//)
    sender.type('a')
    await sender.match(/Added[^]*Add a file or folder/)
    sender.type('nowhere\n')
    await sender.match(/nowhere" doesn't exist/)
    const receiver = thru(['join', code, at('in'), '--yes'])
    expect((await receiver.ended).exitCode).toBe(0)
    expect(Object.keys(hashTree(at('in'))).sort()).toEqual(
      expect.arrayContaining(['first.txt', 'second/notes.txt']),
    )
    sender.type('q')
    expect((await sender.ended).exitCode).toBe(0)
  })

  it('a text is shown without mention of folders', async () => {
    const code = await codeOf(thru(['host', '--text', 'hello there', '--json']))
    const receiver = thru(['join', code], { isOnTerminal: true, cwd: at() })
    await receiver.match(/Show the text\?/)
    receiver.type('y\n')
    const { exitCode, stdout } = await receiver.ended
    expect(exitCode).toBe(0)
    expect(stdout).toContain('hello there')
    expect(stdout).not.toMatch(/Needs|Receiving into|1 file/)
  })
})

describe.skipIf(process.platform !== 'linux')('contacts', () => {
  it('are added after a question, and reached by name on their server', async () => {
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const here = { XDG_STATE_HOME: at('state-here') }
    const there = { XDG_STATE_HOME: at('state-there') }
    const sender = thru(['host', at('src'), '--name', 'Mina'], { isOnTerminal: true, env: here })
    const [, code = ''] = await sender.match(/Code: (\S+)/)
    const joining = ['join', code, at('in'), '--yes', '--json', '--keep', '--name', 'Bea']
    const receiver = thru(joining, { env: there })
    await sender.match(/Bea wants to add you as a contact\. Add Bea too\? \[y\/N\]/)
    sender.type('y\n')
    await sender.match(/Bea is in your contacts now/)
    await receiver.lineWhere('contact-request', ({ state }) => state === 'accepted')
    expect((await receiver.ended).exitCode).toBe(0)
    sender.type('\u0003')
    await sender.ended

    const listening = ['listen', '--out', at('heard')]
    const listener = start(listening, { isOnTerminal: true, env: there })
    await listener.match(/Keys: space pauses and resumes, q stops/)
    await listener.match(/Ready\./)
    const to = ['host', at('src'), '--to', 'bea', '--json']
    const caller = start([...to, '--keep-open'], { env: here })
    expect(await caller.line('server')).toMatchObject({ phase: 'connected', embedded: false })
    await caller.lineWhere('invited', ({ contacts }) =>
      JSON.stringify(contacts).includes('"contact":"Bea","phase":"notified"'),
    )
    await listener.match(/Mina offers:[^]*Receive into .*heard\? \[y\/N\]/)
    listener.type('y\n')
    await listener.match(/Verified\. 1 file/)
    listener.type('q')
    expect((await listener.ended).exitCode).toBe(0)
    expect(await caller.line('code')).toHaveProperty('code')
    await caller.stop()

    // Without a code, the command ends when the contact has everything.
    const auto = ['contacts', 'auto', 'Mina', at('auto')]
    expect(await start(auto, { env: there }).ended).toMatchObject({ exitCode: 0 })
    const back = start(['listen', '--json'], { env: there })
    await back.lineWhere('reachable', ({ phase }) => phase === 'on')
    const grouped = await start(['contacts', 'groups', 'Bea', 'Family'], { env: here }).ended
    expect(grouped.stdout).toMatch(/^Bea .* in Family/)
    const send = ['host', at('src'), '--to', 'family']
    const { exitCode, stdout } = await start(send, { env: here }).ended
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(hashTree(at('auto', 'src'))).toEqual(hashTree(at('src')))

    // Someone who was removed learns it instead of waiting.
    expect(await start(['contacts', 'remove', 'Mina'], { env: there }).ended).toMatchObject({
      exitCode: 0,
    })
    const refused = await start(send, { env: here }).ended
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' })
    expect(refused.stderr).toContain('Bea removed you from their contacts.')
    await back.stop()
    const known = await start(['contacts'], { env: here }).ended
    expect(known.stdout).toBe('Bea · removed you\n')
  })
})

describe('a receive that was stopped', { tags: ['full'] }, () => {
  it('prints the command that resumes it, and keeps its name', async () => {
    writeTree(at('src'), { 'large.bin': bytesOf('large', 12_000_000) })
    const sender = thru(['host', at('src'), '--json', '--limit-up', '2MB/s'])
    const code = await codeOf(sender)
    const receiver = thru(['join', code, at('in'), '--yes', '--name', 'Jonas'])
    await sender.lineWhere('progress', ({ bytes }) => Number(bytes) > 0)
    const { exitCode, stderr } = await receiver.stop()
    expect(exitCode).toBe(130)
    expect(stderr).toContain('Resume: thru resume 1\n')
    expect(stderr).toContain('thru resume --delete 1')
    const { what } = await sender.line('error')
    expect(what).toMatch(/^Jonas canceled at \d+ ?%\.$/)
    thru(['resume', '1', '--yes'])
    const connections = await sender.lines('connected', 2)
    expect(connections.map(({ name }) => name)).toEqual(['Jonas', 'Jonas'])
  })
})

it('the folder of a receive can be given only once', async () => {
  const args = ['join', '4821-elephant-receipt-atom', at('a'), '--out', at('b'), '--yes']
  const { exitCode, stderr } = await thru(args).ended
  expect(exitCode).toBe(2)
  expect(stderr).toContain('The folder was given twice.')
})
