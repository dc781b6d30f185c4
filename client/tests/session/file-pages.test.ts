import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '#client/engine'
import type { FileQuery, TransferFile } from '#shared/files'
import type { PeerId } from '#shared/state/app-state'
import { accepted, met, offerTo } from '../engine-events'
import { folderWithFile, rigWithServer } from '../rig'
import { joinShare, openShare } from '../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

/** A share and one receiver, connected at both ends. */
async function connected() {
  const { sender, share, code } = await openShare(rig.station())
  const { receiver, receive, line } = await joinShare(rig.station(), code)
  offerTo(receiver, line)
  const atSender = await sender.engine.nth('add-peer')
  sender.engine.emit(...met(atSender, 'Jonas', 'a'.repeat(32)))
  return { sender, share, atSender, receiver, receive, line }
}

const query: FileQuery = { filter: 'all', query: '', offset: 40, limit: 20 }
const counts = { all: 99, active: 1, waiting: 98, done: 0, skipped: 0, problem: 0 }
const file: TransferFile = {
  index: 40,
  path: 'a/b.txt',
  kind: 'file',
  size: 10,
  bytes: 5,
  state: 'active',
}

const files = (
  { session, peer, request }: { session: number; peer: string; request: number },
  error: string | null = null,
): EngineEvent => ({
  ...{ type: 'files', session, peer, request, counts, total: 99, files: [file] },
  error: error === null ? null : { code: error, detail: '' },
})

describe('the files of a receive', () => {
  it('are requested page by page, and each answer finds its question', async () => {
    const { receiver, receive } = await connected()
    const questions = receiver.client.receives.get(receive)?.questions
    const first = questions?.listFiles(query)
    const second = questions?.listFiles({ ...query, query: 'b', offset: 0 })
    const [one, two] = receiver.engine.all('list-files')
    if (one === undefined || two === undefined) throw new Error('was not asked')
    expect(one).toMatchObject({ ...query, peer: '' })
    receiver.engine.emit(files(two, 'E_ENGINE_BUSY'), files(one))
    expect(await first).toEqual({
      ok: true,
      value: { counts, total: 99, offset: 40, files: [file] },
    })
    expect(await second).toMatchObject({ error: { code: 'E_ENGINE_BUSY' } })
  })

  it('are refused before the offer and after the end', async () => {
    const { receiver, receive } = await connected()
    const running = receiver.client.receives.get(receive)
    const pending = running?.questions.listFiles(query)
    running?.cancel()
    expect(await pending).toMatchObject({ error: { code: 'E_CANCELLED' } })
    expect(receiver.client.receives.has(receive)).toBe(false)
  })

  it('are received first on request, also after resuming', async () => {
    const { receiver, receive, line } = await connected()
    const { client, engine } = receiver
    const running = client.receives.get(receive)
    expect(running?.prioritize(['/a'])).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
    running?.accept({ directory: folder })
    engine.emit(accepted(line))
    expect(running?.prioritize(['/a'])).toEqual({ ok: true, value: null })
    expect(running?.prioritize(['/b', '/a'])).toEqual({ ok: true, value: null })
    expect(engine.all('prioritize').map(({ patterns }) => patterns)).toEqual([['/a'], ['/b', '/a']])
    expect(client.snapshot().state.resumableReceives[0]?.selection.first).toEqual(['/b', '/a'])
  })
})

describe('the files of a share', () => {
  it('are listed for a connected receiver', async () => {
    const { sender, share, atSender } = await connected()
    const running = sender.client.shares.get(share)
    const page = running?.listFiles(atSender.peer as PeerId, query)
    const asked = await sender.engine.nth('list-files')
    expect(asked).toMatchObject({ peer: atSender.peer, offset: 40 })
    sender.engine.emit(files(asked))
    expect(await page).toMatchObject({ ok: true, value: { total: 99 } })
    expect(await running?.listFiles('nobody' as PeerId, query)).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
  })

  it('leave no question open when the share ends', async () => {
    const { sender, share, atSender } = await connected()
    const page = sender.client.shares.get(share)?.listFiles(atSender.peer as PeerId, query)
    await sender.engine.nth('list-files')
    sender.client.shares.get(share)?.stop()
    expect(await page).toMatchObject({ ok: false })
  })
})
