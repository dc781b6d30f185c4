/** The state and views of a page whose worker the test speaks for. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { OfferedEntry } from '../engine/module'
import { PageSession, type PageWorker } from '../page-session'
import { nothingArrived } from '../receive'
import { Arrived } from '../view/arrived'
import { Sent } from '../view/sent'
import type { FromWorker, ToWorker, Unfinished } from '../worker/messages'

const entry = (path: string, kind: OfferedEntry['kind']): OfferedEntry => ({
  ...{ index: 0, kind, isText: false, bytes: 1, modifiedMs: 0, path },
})

/** A page that has used a code. */
function connected() {
  const told: ToWorker[] = []
  const worker: PageWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => void told.push(message),
    terminate: () => undefined,
  }
  const session = new PageSession('wss://share.example.org', () => worker)
  session.connect('7-apple-kayak-onion')
  const say = (data: FromWorker): void =>
    void worker.onmessage?.({ data } as MessageEvent<FromWorker>)
  return { session, say, told }
}

it('tries again with another worker after the first one has failed', () => {
  const workers: PageWorker[] = []
  const session = new PageSession('wss://share.example.org', () => {
    const worker: PageWorker = {
      ...{ onmessage: null, onerror: null },
      ...{ postMessage: () => undefined, terminate: () => undefined },
    }
    workers.push(worker)
    return worker
  })
  const [first] = workers
  if (first?.onerror) Reflect.apply(first.onerror, first, [new Event('error')])
  expect(session.state().stage).toBe('over')
  session.connect('7-apple-kayak-onion')
  expect(session.state()).toMatchObject({ stage: 'connecting', code: '7-apple-kayak-onion' })
  expect(workers).toHaveLength(2)
})

const unfinished = (id: string): Unfinished => ({
  ...{ id, code: '7-apple-kayak-onion', sender: 'Mina' },
  ...{ bytes: 1, totalBytes: 2, folder: null },
})

it('still shows what has arrived when another receive of the code is deleted', () => {
  const { session, say, told } = connected()
  const arrived = { ...nothingArrived, files: [entry('a.txt', 'file')] }
  say({ t: 'over', end: { code: 'E_PEER_GONE', detail: '' }, arrived, id: 'new' })
  session.forget(unfinished('old'))
  expect(session.state().files).toHaveLength(1)
  session.forget(unfinished('new'))
  expect(session.state().files).toEqual([])
  expect(told.slice(-2)).toEqual([
    { t: 'delete', id: 'old' },
    { t: 'delete', id: 'new' },
  ])
})

it('does not say that everything has arrived if files failed', () => {
  const { session, say } = connected()
  const shown = (): string =>
    renderToStaticMarkup(<Arrived state={session.state()} session={session} />)
  const arrived = { ...nothingArrived, folders: [entry('album', 'folder')] }
  say({ t: 'over', end: null, arrived, id: 'new' })
  expect(shown()).toContain('Everything has arrived')
  expect(shown()).toContain('One folder without files has arrived')
  say({ t: 'entry-failed', code: 'E_PATH_UNREADABLE' })
  expect(shown()).toContain('Received, except for some files')
  expect(shown()).toContain('Only folders have arrived')
  expect(shown()).toContain('One file could not be received')
  expect(shown()).not.toContain('without files')
})

it('counts no folders that the requester may have left out', () => {
  const { session, say } = connected()
  // A second tab stores nothing.
  say({ t: 'second' })
  say({
    t: 'over',
    end: { code: 'E_CODE_REQUESTS', detail: '' },
    arrived: nothingArrived,
    id: null,
  })
  say({ t: 'greeted', sender: 'Jonas' })
  const entries = ['a', 'b'].map((path) => ({ path, file: null, modifiedMs: 0 }))
  session.choose({ entries, unreadable: 0 })
  session.send()
  say({ t: 'sent', end: null })
  expect(renderToStaticMarkup(<Sent state={session.state()} />)).toContain(
    'The other person has the folders that they accepted',
  )
})
