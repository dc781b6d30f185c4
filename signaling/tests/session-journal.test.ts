import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { journalState } from '#signaling/rooms/journal-store'
import { SessionJournal } from '#signaling/rooms/session-journal'
import { startTestServer, type TestClient } from './wire/test-server.ts'

let file: string

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'thru-sessions-'))
  file = join(folder, 'sessions')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** A server with its sessions in the file. */
async function startServer() {
  const state = journalState(file, Buffer.alloc(32, 7))
  if (!state.ok) throw new Error(state.error.detail)
  return startTestServer({ state: state.value })
}

async function hostAs(
  server: Awaited<ReturnType<typeof startServer>>,
  owner: OwnerKey,
  more: { readonly nameplate?: string } = {},
): Promise<{ readonly client: TestClient; readonly nameplate: string }> {
  const client = await server.connect()
  client.hostAs(owner, more)
  return { client, nameplate: (await client.next('hosted')).nameplate }
}

describe('a server that keeps its sessions in a file', () => {
  it('returns nameplates after a restart to their owners only', async () => {
    const before = await startServer()
    const owner = new OwnerKey()
    const { nameplate } = await hostAs(before, owner)
    await before.close()
    const after = await startServer()
    const thief = await after.connect()
    thief.hostAs(new OwnerKey(), { nameplate })
    await thief.processed()
    after.clock.advance(600)
    expect((await thief.next('error')).code).toBe('E_NO_SUCH_CODE')
    const joiner = await after.connect()
    joiner.send({ t: 'join', v: 1, nameplate })
    expect((await joiner.next('error')).code).toBe('E_PEER_GONE')
    expect((await hostAs(after, owner)).nameplate).toBe(nameplate)
  })

  it('accepts passes issued before', async () => {
    const before = await startServer()
    const owner = new OwnerKey()
    const { client, nameplate } = await hostAs(before, owner)
    const joiner = await before.connect()
    joiner.send({ t: 'join', v: 1, nameplate, key: joiner.key })
    client.send({ t: 'grant', peer: (await client.next('peer')).peer })
    await joiner.next('joined')
    const { pass } = await joiner.next('pass')
    await before.close()
    const after = await startServer()
    const back = await after.connect()
    back.send(back.sealed({ t: 'join', v: 1, nameplate, pass }))
    await back.next('waiting')
    await hostAs(after, owner)
    await back.next('joined')
  })

  it('assigns no resting nameplate', async () => {
    const before = await startServer()
    const owner = new OwnerKey()
    const { client, nameplate } = await hostAs(before, owner)
    client.send({ t: 'leave' })
    await client.closed
    await before.close()
    const after = await startServer()
    for (const who of [owner, new OwnerKey()]) {
      const late = await after.connect()
      late.hostAs(who, { nameplate })
      await late.processed()
      after.clock.advance(600)
      expect((await late.next('error')).code).toBe('E_NO_SUCH_CODE')
    }
  })

  it('reads a file with an incomplete last line', async () => {
    const before = await startServer()
    const owner = new OwnerKey()
    const { nameplate } = await hostAs(before, owner)
    // The content after a kill: `close` would record that the host is away.
    const killed = readFileSync(file)
    await before.close()
    writeFileSync(file, killed)
    appendFileSync(file, '{"nameplate":"4821","owner":"AAA')
    const after = await startServer()
    expect((await hostAs(after, owner)).nameplate).toBe(nameplate)
  })

  it('contains nothing about joiners, and is readable only by its account', async () => {
    const server = await startServer()
    const owner = new OwnerKey()
    const { client, nameplate } = await hostAs(server, owner)
    const lines = () => readFileSync(file, 'utf8').trim().split('\n')
    const before = lines()
    expect(before).toHaveLength(2)
    expect(JSON.parse(before[1] ?? '')).toEqual({
      nameplate,
      owner: owner.publicKey,
      origin: '127.0.0.1',
      until: expect.any(Number) as number,
      phase: 'hosted',
    })
    const joiner = await server.connect()
    joiner.send({ t: 'join', v: 1, nameplate, body: 'AA==' })
    await client.next('peer')
    expect(lines()).toEqual(before)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('the file of sessions', () => {
  const room = (nameplate: string) =>
    ({ nameplate, owner: null, origin: '203.0.113.7', until: 1, phase: 'resting' }) as const

  it('is refused if it has another format', () => {
    writeFileSync(file, 'a diary\n')
    const opened = SessionJournal.open(file, '')
    expect(opened).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT', subject: file } })
    expect(readFileSync(file, 'utf8')).toBe('a diary\n')
  })

  it('is rewritten when most lines are obsolete', () => {
    const opened = SessionJournal.open(file, 'key')
    if (!opened.ok) throw new Error(opened.error.detail)
    const journal = opened.value
    for (let change = 0; change < 10_001; change += 1) journal.note(room('4821'))
    expect(journal.isLong(1)).toBe(false)
    journal.note(room('4821'))
    journal.note(room('4821'))
    expect(journal.isLong(1)).toBe(true)
    journal.rewrite([room('4821')])
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
    journal.note(room('4822'))
    journal.noteFree('4821')
    journal.close()
    const again = SessionJournal.open(file, 'another key')
    expect(again.ok && [...again.value.rooms.keys()]).toEqual(['4822'])
    expect(again.ok && again.value.passKey).toBe('key')
  })
})
