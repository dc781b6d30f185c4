/** The page's worker: it transfers, reads and writes, so that the page stays responsive. */
import '../without-eval'
import { signalingPath } from '#shared/signaling/paths'
import moduleUrl from '../../out/native/web/thruflux.wasm?url'
import { type Arrived, nothingArrived, Receive } from '../receive'
import { Send } from '../send'
import type { PageSocket } from '../signaling/introduction'
import { SpareSocket } from '../signaling/spare-socket'
import { Library } from '../storage/library'
import { roomOf } from '../storage/room'
import { openTabLocks } from '../storage/tab-locks'
import { zipOf } from '../storage/zip'
import type { FromWorker, ToWorker } from './messages'

/** Interval between figures for the page, ms. */
const figuresMs = 250

const worker = globalThis as unknown as {
  postMessage: (message: FromWorker) => void
  onmessage: ((event: { readonly data: ToWorker }) => void) | null
}
const say = (message: FromWorker): void => worker.postMessage(message)

/** Opened before a person continues. */
let spare: SpareSocket | null = null
const openSocket = (url: string, protocols: readonly string[] = []): PageSocket =>
  (protocols.length === 0 ? spare?.take(url) : null) ?? new WebSocket(url, [...protocols])

const locks = openTabLocks()
const library = Library.open(locks)
/** The lock of a code, under which tabs of this browser transfer one after the other. */
const lockOf = (code: string): string => `code ${code}`
let receive: Receive | null = null
let send: Send | null = null
let arrived: Arrived = nothingArrived
let zip: Promise<Blob> | null = null
let figures: ReturnType<typeof setInterval> | undefined

function reportTotals(): void {
  const totals = (send ?? receive)?.totals() ?? null
  if (totals !== null) say({ t: 'totals', totals })
}

/** Bytes that the browser can still keep; a page without TLS can't ask. */
async function roomLeft(): Promise<number | null> {
  try {
    return roomOf(await navigator.storage.estimate())
  } catch {
    return null
  }
}

/** Compiles the module; `null` if the browser can't run it. */
async function compile(): Promise<WebAssembly.Module | null> {
  const response = await fetch(moduleUrl)
  if (!response.ok) throw new Error(`the module: ${response.status}`)
  return WebAssembly.compileStreaming(response).catch((reason: unknown) => {
    if (reason instanceof WebAssembly.CompileError) return null
    throw reason
  })
}

/** Begins at once, while a person reads the page; undefined if that failed. */
const early = compile().catch(() => undefined)

/** The module; `null` after saying why there is none. */
async function compiled(): Promise<WebAssembly.Module | null> {
  try {
    const first = await early
    const module = first === undefined ? await compile() : first
    if (module === null) say({ t: 'too-old' })
    return module
  } catch (reason) {
    const end = { code: 'E_SERVER_UNREACHABLE', detail: String(reason) } as const
    say({ t: 'over', end, arrived: nothingArrived, id: null })
    return null
  }
}

async function start(message: Extract<ToWorker, { readonly t: 'start' }>): Promise<void> {
  const { code, server, password, resume } = message
  const [module, isFirst] = await Promise.all([compiled(), locks.take(lockOf(code))])
  if (module === null) return
  if (!isFirst) say({ t: 'second' })
  const known = await library
  const before =
    resume === undefined ? undefined : (await known.list()).find(({ id }) => id === resume)
  receive = new Receive({
    ...{ code, name: '', server, password, compiled: module, library: known, openSocket },
    isSecond: !isFirst,
    events: {
      welcomed: (limits) => say({ t: 'welcomed', limits }),
      moved: () => say({ t: 'moved' }),
      paired: (safety) => say({ t: 'paired', safety }),
      greeted: (sender) => say({ t: 'greeted', sender }),
      approvalAwaited: () => say({ t: 'approval-awaited' }),
      offered: (entries, heldBytes, keptIn) =>
        void roomLeft().then((room) => say({ t: 'offered', entries, heldBytes, keptIn, room })),
      resumed: () => say({ t: 'resumed' }),
      leftOut: (reasons) => say({ t: 'left-out', reasons }),
      entryFailed: (_index, reason) => say({ t: 'entry-failed', code: reason }),
      peerPaused: (isPaused) => say({ t: 'peer-paused', isPaused }),
      reconnecting: (isLost) => say({ t: 'reconnecting', isLost }),
      saving: () => say({ t: 'saving' }),
      over: (end, all) => {
        clearInterval(figures)
        reportTotals()
        arrived = all
        if (end?.code !== 'E_CODE_REQUESTS') locks.release(lockOf(code))
        say({ t: 'over', end, arrived: all, id: receive?.files()?.id ?? null })
        if (end !== null) void list()
      },
    },
  })
  figures = setInterval(reportTotals, figuresMs)
  await receive.start(before ?? null)
}

async function startSend(message: Extract<ToWorker, { readonly t: 'start-send' }>): Promise<void> {
  const module = await compiled()
  if (module === null) return
  const { code, ids, server, password } = message
  send = new Send({
    ...{ code, name: '', ids, server, password, compiled: module, openSocket },
    events: {
      welcomed: (limits) => say({ t: 'welcomed', limits }),
      moved: () => say({ t: 'moved' }),
      paired: (safety) => say({ t: 'paired', safety }),
      greeted: (sender) => say({ t: 'greeted', sender }),
      accepted: () => say({ t: 'accepted' }),
      entryFailed: (path, reason) => say({ t: 'entry-failed', code: reason, path }),
      peerPaused: (isPaused) => say({ t: 'peer-paused', isPaused }),
      reconnecting: (isLost) => say({ t: 'reconnecting', isLost }),
      over: (end) => {
        clearInterval(figures)
        reportTotals()
        locks.release(lockOf(code))
        say({ t: 'sent', end })
      },
    },
  })
  figures = setInterval(reportTotals, figuresMs)
  await send.start()
}

/** Packs everything that has arrived, and reports how far it is. */
async function pack(): Promise<Blob> {
  const kept = receive?.files() ?? null
  if (kept === null) throw new Error('nothing has arrived')
  const { files, folders } = arrived
  let saidAtMs = performance.now()
  const onRead = (bytes: number): void => {
    if (performance.now() - saidAtMs < figuresMs) return
    saidAtMs = performance.now()
    say({ t: 'packing', bytes })
  }
  const content = { files, folders, kept }
  // Without room for copies, the ZIP file refers to each file.
  return zipOf({ ...content, copies: await (await library).open(null) }, onRead).catch(() =>
    zipOf({ ...content, copies: null }, onRead),
  )
}

/** Reports the receives that can be resumed. */
async function list(): Promise<void> {
  const all = await (await library).list()
  const receives = all.map(({ id, code, sender, bytes, totalBytes, folder }) => ({
    ...{ id, code, sender, bytes, totalBytes, folder },
  }))
  say({ t: 'unfinished', receives })
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.t) {
    case 'list':
      await list()
      break
    case 'delete': {
      // A private file can't be deleted while it is open.
      const files = receive?.files() ?? null
      if (files?.id === message.id) await files.close()
      await (await library).delete(message.id)
      await list()
      break
    }
    case 'prepare':
      spare = new SpareSocket(`${message.server}${signalingPath}`, (url) => new WebSocket(url))
      break
    case 'start':
      await start(message)
      break
    case 'accept':
      await receive?.accept(message.choice)
      break
    case 'start-send':
      await startSend(message)
      break
    case 'offer':
      send?.offer(message.entries)
      break
    case 'pause':
      ;(send ?? receive)?.setPaused(message.isPaused)
      break
    case 'cancel':
      ;(send ?? receive)?.cancel()
      break
    case 'open': {
      const { entry } = message
      const content = (await receive?.content(entry).catch(() => null)) ?? null
      say({ t: 'content', entry, content })
      break
    }
    case 'zip':
      zip ??= pack()
      say({
        t: 'zip',
        content: await zip.catch(() => {
          zip = null
          return null
        }),
      })
      break
  }
}

worker.onmessage = ({ data }) => {
  void handle(data)
}
