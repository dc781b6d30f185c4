import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { NewShare } from '#client/session/requests'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { keepsRules } from '#client/state/remembered-share'
import { waitForState } from '#client/wait-for-state'
import type { TransferId } from '#shared/state/app-state'
import { accepted, met } from '../../engine-events'
import { folderWithFile, rigWithServer } from '../../rig'
import { openShare, pathItem, shareIn, shareOf } from '../../transfers'

const folder = folderWithFile('video.mp4')
const file = join(folder, 'video.mp4')
const rig = rigWithServer()

const note = { kind: 'text', text: 'hello', name: 'Note' } as const
const transfer = 'a'.repeat(32) as TransferId
const hourMs = 60 * 60_000

const admission = {
  ...{ share: '5'.repeat(32), wrong: 3, wrongOfShare: 7 },
  receivers: [{ key: 'A'.repeat(43), next: null, hasPlace: true }],
}

async function sharing(options: Partial<NewShare> = { items: [pathItem(file), note] }) {
  const sender = rig.station()
  return { ...(await openShare(sender, options)), stateDir: sender.stateDir }
}

/** A receiver accepts, and the engine reports how it may return. */
async function serve({ sender, session, code }: Awaited<ReturnType<typeof sharing>>) {
  rig.station().client.join(code)
  const { peer } = await sender.engine.nth('add-peer')
  const about = { session, peer }
  sender.engine.emit(...met(about, 'Jonas', transfer), accepted(about))
  sender.engine.emit({ type: 'admission', session, record: admission, revision: 1 })
}

/** The next program of the same account, after it has resumed shares. */
async function restarted(stateDir: string, minutes = 1) {
  const sender = rig.station({ stateDir })
  if (minutes > 0) sender.clock.advance(minutes * 60_000)
  else sender.clock.setBack(-minutes * 60_000)
  const resumed = await sender.client.resumeShares()
  return { sender, resumed }
}

const stored = (stateDir: string): { shares: Record<string, unknown>[] } =>
  JSON.parse(readFileSync(join(stateDir, 'shares.json'), 'utf8')) as never

/** Simulates a crash of the program that has the shares open. */
function kill(stateDir: string): void {
  const { shares } = stored(stateDir)
  const keeper = { pid: 4_194_305, host: shares[0]?.['host'], started: '1' }
  const killed = shares.map((share) => ({ ...share, keeper }))
  writeFileSync(join(stateDir, 'shares.json'), JSON.stringify({ version: 1, shares: killed }))
}

/** Resolves once the file has the expected content. */
const noted = async (stateDir: string, isThere: (text: string) => boolean): Promise<void> => {
  for (;;) {
    try {
      if (isThere(readFileSync(join(stateDir, 'shares.json'), 'utf8'))) return
    } catch {
      // The file does not exist yet.
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a share after a restart', () => {
  it('has stored the keys of its receivers before they are used', async () => {
    const before = await sharing()
    await serve(before)
    const { session } = before
    expect(await before.sender.engine.nth('confirm-admission')).toMatchObject({
      session,
      revision: 1,
    })
    expect(stored(before.stateDir).shares).toMatchObject([{ admission }])
  })

  it('is reopened after quitting, with its code, items, options and receivers', async () => {
    const before = await sharing({ items: [pathItem(file), note], links: false, maxReceivers: 3 })
    await serve(before)
    const endsAtMs = shareOf(before.sender)?.codeEndsAtMs
    await before.sender.client.close('suspended')
    expect(before.sender.engine.all('suspend-share')).toHaveLength(1)

    const { sender, resumed } = await restarted(before.stateDir)
    expect(resumed).toHaveLength(1)
    expect(shareOf(sender)).toMatchObject({ resumed: true, textsGone: 1, code: before.code })
    expect(await shareIn(sender, 'open')).toMatchObject({
      ...{ code: before.code, codeEndsAtMs: endsAtMs, moved: false, maxReceivers: 3 },
    })
    expect(sender.engine.all('open-share')).toMatchObject([
      { items: [pathItem(file)], links: false, maxReceivers: 3, restored: admission },
    ])
    expect(sender.engine.all('set-code')).toMatchObject([{ code: before.code }])
  })

  it('offers what its paths led to when they were first shared', async () => {
    const before = await sharing({ items: [pathItem(file), note] })
    const { session } = before
    const items = [
      { id: 0, name: 'file', kind: 'file', files: 1, bytes: 1 },
      { id: 1, name: 'Text.txt', kind: 'text', files: 1, bytes: 1 },
    ] as const
    const scanned = { type: 'scan-items', session, items, followed: 0, followedLinks: [] } as const
    before.sender.engine.emit({ ...scanned, resolved: ['/first/target', ''] })
    before.sender.engine.emit({ ...scanned, resolved: ['/later/target', ''] })
    await before.sender.client.close('suspended')
    const { sender } = await restarted(before.stateDir)
    await shareIn(sender, 'open')
    expect(sender.engine.all('open-share')).toMatchObject([
      { items: [{ ...pathItem(file), resolved: '/first/target' }] },
    ])
  })

  it('is reopened after a crash, and takes its nameplate from the dead socket', async () => {
    const before = await sharing()
    await noted(before.stateDir, (text) => text.includes('4821') || text.includes('nameplate'))
    kill(before.stateDir)
    const { sender } = await restarted(before.stateDir)
    expect(await shareIn(sender, 'open')).toMatchObject({ code: before.code, moved: false })
  })

  it('gets its nameplate back when the server was restarted, too', async () => {
    const before = await sharing()
    await before.sender.client.close('suspended')
    await rig.stopServer()
    await rig.startServer()
    const { sender } = await restarted(before.stateDir)
    expect(await shareIn(sender, 'open')).toMatchObject({ code: before.code })
  })

  it('gets another code, and reports it, when its nameplate is taken', async () => {
    const before = await sharing()
    await before.sender.client.close('suspended')
    const path = join(before.stateDir, 'shares.json')
    const other = await sharing()
    const taken = other.code.slice(0, other.code.indexOf('-'))
    const [share] = stored(before.stateDir).shares
    const moved = { ...share, nameplate: taken, ownerKey: new NameplateOwner().key }
    writeFileSync(path, JSON.stringify({ version: 1, shares: [moved] }))
    const { sender } = await restarted(before.stateDir)
    // The server's goodbye is followed by the pause before the next attempt.
    for (let pause = 0; pause < 2; pause += 1) {
      await sender.clock.untilDelay(1000)
      sender.clock.advance(1000)
    }
    const again = await shareIn(sender, 'open')
    expect(again.code).not.toMatch(new RegExp(`^${taken}-`))
    expect(again.moved).toBe(true)
  })

  it('is not reopened when a person stopped it', async () => {
    const { sender, share, stateDir } = await sharing()
    sender.client.shares.get(share)?.stop()
    await sender.client.close('suspended')
    expect(stored(stateDir).shares).toEqual([])
    expect((await restarted(stateDir)).resumed).toEqual([])
  })

  it('is claimed once, and never from a running program', async () => {
    const before = await sharing()
    expect((await restarted(before.stateDir)).resumed).toEqual([])
    await before.sender.client.close('suspended')
    const stations = [rig.station({ stateDir: before.stateDir }), rig.station(before)]
    const resumed = await Promise.all(stations.map(({ client }) => client.resumeShares()))
    expect(resumed.flat()).toHaveLength(1)
  })

  it('keeps the rules of its command line, and is left to a program with the same rules', async () => {
    const shareRules = { relayUse: 'only', visible: false, limitUp: '3M' } as const
    const sender = rig.station({ shareRules })
    sender.client.openShare({ items: [pathItem(file)] })
    await shareIn(sender, 'open')
    await sender.client.close('suspended')
    expect(stored(sender.stateDir).shares).toMatchObject([{ rules: shareRules }])
    const next = rig.station(sender).client
    expect(await next.resumeShares((share) => keepsRules(share, {}))).toEqual([])
    const same = { relayUse: 'only', visible: false } as const
    expect(await next.resumeShares((share) => keepsRules(share, same))).toHaveLength(1)
  })

  it('reports missing items, offers the rest, and keeps them for the next time', async () => {
    const gone = join(folder, 'gone.txt')
    writeFileSync(gone, 'x')
    const before = await sharing({ items: [pathItem(gone), pathItem(file)] })
    await before.sender.client.close('suspended')
    const content = stored(before.stateDir)
    const text = JSON.stringify(content).replaceAll('gone.txt', 'lost.txt')
    writeFileSync(join(before.stateDir, 'shares.json'), text)
    const { sender } = await restarted(before.stateDir)
    const share = await shareIn(sender, 'open')
    const lost = join(folder, 'lost.txt')
    expect(share.problems).toMatchObject([{ path: lost, error: { code: 'E_PATH_NOT_FOUND' } }])
    expect(sender.engine.all('open-share')[0]?.items).toEqual([pathItem(file)])
    await sender.client.close('suspended')
    expect(stored(before.stateDir).shares[0]?.['items']).toEqual([pathItem(file), pathItem(lost)])
  })

  it('waits for another start when all items are missing, unless a person dismisses it', async () => {
    const before = await sharing({ items: [pathItem(file)] })
    await before.sender.client.close('suspended')
    const away = join(folder, 'away.mp4')
    renameSync(file, away)
    const { sender: second } = await restarted(before.stateDir)
    await waitForState(second.client, ({ shares }) => shares[0]?.error)
    await second.client.close('suspended')
    renameSync(away, file)
    const { sender: third } = await restarted(before.stateDir)
    expect(await shareIn(third, 'open')).toMatchObject({ code: before.code })
    await third.client.close('suspended')

    renameSync(file, away)
    const { sender: fourth, resumed } = await restarted(before.stateDir)
    await waitForState(fourth.client, ({ shares }) => shares[0]?.error)
    fourth.client.dismiss(resumed[0] ?? '')
    await fourth.client.close('suspended')
    renameSync(away, file)
    expect(stored(before.stateDir).shares).toEqual([])
  })

  it('offers its last items: with additions, without removals', async () => {
    const { sender, share, stateDir } = await sharing()
    await sender.client.addItems(share, [pathItem(folder)])
    sender.client.shares.get(share)?.removeItem(1)
    sender.client.shares.get(share)?.pause(null, true)
    await sender.client.close('suspended')
    const again = (await restarted(stateDir)).sender
    expect(await shareIn(again, 'open')).toMatchObject({ paused: true })
    expect(again.engine.all('open-share')[0]?.items).toEqual([pathItem(file), pathItem(folder)])
    expect(again.engine.all('set-paused')).toMatchObject([{ peer: '', paused: true }])
  })

  it('admits no new receivers after its time, but those that had begun', async () => {
    const before = await sharing({ items: [pathItem(file)], codeLifeMs: hourMs })
    await serve(before)
    await before.sender.client.close('suspended')
    const { sender } = await restarted(before.stateDir, 61)
    expect(await shareIn(sender, 'open')).toMatchObject({ codeEnd: 'expired', code: before.code })
    expect(sender.engine.all('open-share')).toMatchObject([
      { maxReceivers: 0, restored: admission },
    ])
  })

  it('lives no longer than its code when the clock was set back by years', async () => {
    const before = await sharing({ items: [pathItem(file)], codeLifeMs: hourMs })
    await before.sender.client.close('suspended')
    const { sender } = await restarted(before.stateDir, -50 * 365 * 24 * 60)
    expect(await shareIn(sender, 'open')).toMatchObject({ code: before.code })
    expect(Math.max(...sender.clock.delays)).toBeLessThanOrEqual(hourMs)
    sender.clock.advance(hourMs)
    expect(shareOf(sender)?.codeEnd).toBe('expired')
  })

  it('is dropped when its time is over without any receiver', async () => {
    const before = await sharing({ items: [pathItem(file)], codeLifeMs: hourMs })
    await before.sender.client.close('suspended')
    expect((await restarted(before.stateDir, 61)).resumed).toEqual([])
  })

  it('stays for its one receiver', async () => {
    const before = await sharing({ items: [pathItem(file)], oneReceiver: true })
    await serve(before)
    await before.sender.client.close('suspended')
    const { sender } = await restarted(before.stateDir)
    expect(await shareIn(sender, 'open')).toMatchObject({ codeEnd: 'one-receiver' })
    expect(sender.engine.all('open-share')).toMatchObject([{ maxReceivers: 0, oneReceiver: false }])
  })

  it('waits for the server while its code is valid', async () => {
    const before = await sharing()
    await before.sender.client.close('suspended')
    await rig.stopServer()
    const { sender } = await restarted(before.stateDir)
    await sender.clock.untilDelay(1000)
    sender.clock.advance(2 * hourMs)
    expect(shareOf(sender)?.error).toBeNull()
    await sender.clock.untilDelay(1500)
    await rig.startServer()
    sender.clock.advance(1500)
    expect(await shareIn(sender, 'open')).toMatchObject({ code: before.code })
  })
})

describe('the file of shares', () => {
  it('is readable by this account only, and empty without shares', async () => {
    const { sender, stateDir } = await sharing()
    await noted(stateDir, (text) => text.includes('nameplate'))
    if (process.platform !== 'win32') {
      expect(statSync(join(stateDir, 'shares.json')).mode & 0o777).toBe(0o600)
    }
    await sender.client.close()
    expect(stored(stateDir)).toEqual({ version: 1, shares: [] })
  })

  it('sets invalid content aside and reopens the rest', async () => {
    const before = await sharing()
    await before.sender.client.close('suspended')
    const [good] = stored(before.stateDir).shares
    const bad = [null, 7, { ...good, words: '../../etc' }, { ...good, items: [] }]
    const shares = [...bad, good]
    writeFileSync(join(before.stateDir, 'shares.json'), JSON.stringify({ version: 1, shares }))
    const { sender, resumed } = await restarted(before.stateDir)
    expect(resumed).toHaveLength(1)
    expect(sender.client.snapshot().state.storage).toMatchObject([{ kind: 'damaged' }])
  })

  it('of a newer version is left alone', async () => {
    const before = await sharing()
    await before.sender.client.close('suspended')
    const path = join(before.stateDir, 'shares.json')
    const newer = JSON.stringify({ ...stored(before.stateDir), version: 2 })
    writeFileSync(path, newer)
    const { sender, resumed } = await restarted(before.stateDir)
    expect(resumed).toEqual([])
    sender.client.openShare({ items: [pathItem(file)] })
    await shareIn(sender, 'open')
    await sender.client.close('suspended')
    expect(readFileSync(path, 'utf8')).toBe(newer)
  })

  it('contains no texts', async () => {
    const secret = { kind: 'text', text: 'hunter2 is it', name: 'hunter2' } as const
    const { sender, stateDir } = await sharing({ items: [secret, pathItem(file)] })
    await sender.client.close('suspended')
    const written = readFileSync(join(stateDir, 'shares.json'), 'utf8')
    expect(written).toContain('video.mp4')
    expect(written).not.toContain('hunter2')
    expect(stored(stateDir).shares).toMatchObject([{ texts: 1 }])
    const again = (await restarted(stateDir)).sender
    await shareIn(again, 'open')
    await again.client.close('suspended')
    expect(stored(stateDir).shares).toMatchObject([{ texts: 1 }])
  })

  it('drops a share of texts with its program', async () => {
    const { sender, stateDir } = await sharing({ items: [note] })
    await sender.client.close('suspended')
    expect(sender.engine.all('suspend-share')).toEqual([])
    expect((await restarted(stateDir)).resumed).toEqual([])
  })

  it('drops a share when only a text is left in it', async () => {
    const { sender, share, stateDir } = await sharing()
    await noted(stateDir, (text) => text.includes('video.mp4'))
    sender.client.shares.get(share)?.removeItem(0)
    await noted(stateDir, (text) => !text.includes('video.mp4'))
    await sender.client.close('suspended')
    expect((await restarted(stateDir)).resumed).toEqual([])
  })
})
