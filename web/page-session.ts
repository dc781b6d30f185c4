/** The state of the page, and the worker behind it. */
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { addSample } from '#shared/format/rate'
import type { WebLimits } from '#shared/signaling/messages'
import { healthPath } from '#shared/signaling/paths'
import type { RateSample } from '#shared/state/app-state'
import type { End } from './attempt'
import { type Added, type Chosen, nothingChosen, withItems, withoutItem } from './chosen'
import type { OfferedEntry, Totals } from './engine/module'
import type { ArrivedText, Choice, LeftOut } from './receive'
import type { KeptIn } from './storage/kept-files'
import { safePath } from './storage/safe-name'
import { forgetSendIds, newSendIds, sendIdsOf } from './storage/send-ids'
import type { FromWorker, ToWorker, Unfinished } from './worker/messages'

/** A file that the requester doesn't get. */
export type FailedFile = { readonly path: string; readonly code: ErrorCode }

/** Failed files that are listed; the others are counted. */
const maxFailed = 100
/** The ends that a person decided. */
const decided: ReadonlySet<ErrorCode> = new Set(['E_CANCELLED', 'E_DECLINED'])

/** Everything that the page shows. */
export type PageState = {
  readonly stage:
    | ('code' | 'connecting' | 'over')
    | ('offered' | 'receiving' | 'saving')
    | ('choosing' | 'waiting' | 'sending')
  /** Interrupted receives; shown with the code. */
  readonly unfinished: readonly Unfinished[]
  /** The latest code that was used, in its normal form; empty before that. */
  readonly code: string
  readonly safety: string
  /** The name of the sender, or of the requester. */
  readonly sender: string
  /** True if the code requests files. */
  readonly isRequest: boolean
  /** True if another tab uses the code: nothing of this transfer can be continued later. */
  readonly isSecond: boolean
  readonly chosen: Chosen
  readonly failed: readonly FailedFile[]
  readonly awaitsApproval: boolean
  readonly entries: readonly OfferedEntry[]
  readonly leftOut: readonly LeftOut[]
  /** Bytes of the offer that are here from an earlier attempt. */
  readonly heldBytes: number
  readonly keptIn: KeptIn
  /** Bytes that the browser can still keep; `null` if it doesn't say. */
  readonly room: number | null
  /** The name of the chosen folder; `null` if files are saved one by one. */
  readonly folder: string | null
  readonly totals: Totals
  readonly samples: readonly RateSample[]
  readonly isPaused: boolean
  readonly isPeerPaused: boolean
  readonly isReconnecting: boolean
  readonly files: readonly OfferedEntry[]
  readonly texts: readonly ArrivedText[]
  readonly folders: number
  /** Files that have their name in the folder. */
  readonly savedFiles: number
  readonly problems: number
  /** Bytes of files that are in the ZIP file so far; `null` if none is being made. */
  readonly packedBytes: number | null
  readonly isPackFailed: boolean
  readonly isSaveFailed: boolean
  /** True if the browser can't run the module. */
  readonly isTooOld: boolean
  /** True if the server wants a password, which none or a wrong one was given for. */
  readonly wantsPassword: boolean
  /** The server's limits for pages, if it has any and data goes through it. */
  readonly limits: WebLimits | null
  /** True if data goes directly to the other side, not through the server. */
  readonly isDirect: boolean
  /** Set at the end of a receive that failed. */
  readonly error: AppError | null
}

const nothing: PageState = {
  stage: 'code',
  unfinished: [],
  code: '',
  safety: '',
  sender: '',
  isRequest: false,
  isSecond: false,
  chosen: nothingChosen,
  failed: [],
  awaitsApproval: false,
  entries: [],
  leftOut: [],
  heldBytes: 0,
  keptIn: 'database',
  room: null,
  folder: null,
  totals: { bytes: 0, totalBytes: 0, files: 0, totalFiles: 0 },
  samples: [],
  isPaused: false,
  isPeerPaused: false,
  isReconnecting: false,
  files: [],
  texts: [],
  folders: 0,
  savedFiles: 0,
  problems: 0,
  packedBytes: null,
  isPackFailed: false,
  isSaveFailed: false,
  isTooOld: false,
  wantsPassword: false,
  limits: null,
  isDirect: false,
  error: null,
}

/** Time for the server's answer about passwords, ms. */
const answerMs = 5000

/** True if the server has passwords. A browser doesn't tell why a WebSocket was refused. The page comes from this server. */
async function hasPassword(): Promise<boolean> {
  try {
    const response = await fetch(healthPath, { signal: AbortSignal.timeout(answerMs) })
    return (Object(await response.json()) as { readonly password?: unknown }).password === true
  } catch {
    return false
  }
}

const natural = new Intl.Collator(undefined, { numeric: true })

const byPath = (a: OfferedEntry, b: OfferedEntry): number => natural.compare(a.path, b.path)

/** The name under which a file is saved. */
export function nameOf({ path }: OfferedEntry): string {
  const safe = safePath(path)
  return safe.slice(safe.lastIndexOf('/') + 1)
}

/** A worker as far as the page uses one. */
export type PageWorker = Pick<Worker, 'terminate' | 'onerror'> & {
  onmessage: ((event: MessageEvent<FromWorker>) => unknown) | null
  postMessage: (message: ToWorker) => void
}

/** Saves content as a browser saves downloads. */
function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the content a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The page's state; `subscribe` and `state` are for React. */
export class PageSession {
  readonly #listeners = new Set<() => void>()
  readonly #server: string
  readonly #makeWorker: () => PageWorker
  #worker: PageWorker
  #state = nothing
  #code = ''
  #password = ''
  /** The id of the receive whose files the page shows. */
  #shown: string | null = null
  #isPrepared = false
  /** The worker has transferred, or tried to. */
  #isUsed = false
  /** The server has answered. */
  #isWelcome = false

  /** `server` is the signaling server's address. */
  constructor(server: string, makeWorker: () => PageWorker) {
    this.#server = server
    this.#makeWorker = makeWorker
    this.#worker = this.#begin()
    this.#tell({ t: 'list' })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): PageState => this.#state

  /** Connects to a server on the internet while a person reads the page, once. */
  readonly prepare = (): void => {
    if (this.#isPrepared || this.#state.stage !== 'code' || !this.#server.startsWith('wss:')) return
    this.#isPrepared = true
    this.#tell({ t: 'prepare', server: this.#server })
  }

  /** Connects to the sender of a code in its normal form; `password` is the server's, or empty. */
  connect(code: string, password = ''): void {
    this.#password = password
    this.#start(code)
  }

  /** Resumes an interrupted receive with its earlier choice. */
  async resume({ id, code, folder }: Unfinished): Promise<void> {
    // A person allows the use of a folder again for each visit.
    if (folder !== null && !(await mayWrite(folder))) return
    this.#start(code, id)
    this.#change({ folder: folder?.name ?? null })
  }

  /** Deletes an interrupted receive, with the files that this page shows of it. */
  forget({ id }: Unfinished): void {
    if (id === this.#shown) this.#change({ files: [], texts: [], folders: 0 })
    this.#tell({ t: 'delete', id })
  }

  /** Receives everything but these items. */
  accept(choice: Choice): void {
    if (this.#state.stage !== 'offered') return
    this.#change({ stage: 'receiving', folder: choice.folder?.name ?? null })
    this.#tell({ t: 'accept', choice })
  }

  /** Adds files and folders to those that will be sent. */
  choose(added: Added): void {
    if (this.#state.stage === 'choosing')
      this.#change({ chosen: withItems(this.#state.chosen, added) })
  }

  /** Removes an item from them. */
  unchoose(item: string): void {
    this.#change({ chosen: withoutItem(this.#state.chosen, item) })
  }

  /** Offers what was chosen. */
  send(): void {
    const { stage, chosen } = this.#state
    if (stage !== 'choosing' || chosen.entries.length === 0) return
    this.#change({ stage: 'waiting' })
    this.#tell({ t: 'offer', entries: chosen.entries })
  }

  setPaused(isPaused: boolean): void {
    this.#tell({ t: 'pause', isPaused })
    this.#change({ isPaused, samples: [] })
  }

  cancel(): void {
    this.#tell({ t: 'cancel' })
  }

  /** Saves one file that has arrived. */
  save(entry: OfferedEntry): void {
    this.#tell({ t: 'open', entry })
  }

  /** Packs all files into one, and saves it. */
  pack(): void {
    this.#change({ packedBytes: 0, isPackFailed: false })
    this.#tell({ t: 'zip' })
  }

  #start(code: string, resume?: string): void {
    const { stage, unfinished } = this.#state
    if (stage !== 'code' && stage !== 'over') return
    if (this.#isUsed || stage === 'over') {
      this.#worker.terminate()
      this.#worker = this.#begin()
    }
    this.#isUsed = true
    this.#isWelcome = false
    this.#code = code
    this.#shown = null
    this.#change({ ...nothing, unfinished, code, stage: 'connecting' })
    const [server, password] = [this.#server, this.#password]
    const again = resume === undefined ? {} : { resume }
    this.#tell({ t: 'start', code, server, password, ...again })
  }

  /** Shows the end of an attempt. */
  async #finish(end: End | null, changes: Partial<PageState>): Promise<void> {
    const isRefused = !this.#isWelcome && end?.code === 'E_SERVER_UNREACHABLE'
    const worker = this.#worker
    const wantsPassword = isRefused && (await hasPassword())
    // Meanwhile another attempt may have begun.
    if (worker !== this.#worker) return
    // Without a password there was nothing wrong yet.
    const isAsked = wantsPassword && this.#password === ''
    const stage = isAsked ? 'code' : 'over'
    const error = isAsked || end === null ? null : appError(end.code, end.detail)
    this.#change({ ...changes, stage, error, wantsPassword })
  }

  /** The code requests files: joins again as a sender. */
  #startSend(): void {
    const [code, server, password] = [this.#code, this.#server, this.#password]
    this.#change({ isRequest: true })
    const ids = this.#state.isSecond ? newSendIds() : sendIdsOf(code)
    this.#tell({ t: 'start-send', code, ids, server, password })
  }

  #begin(): PageWorker {
    const worker = this.#makeWorker()
    worker.onmessage = ({ data }) => this.#hear(data)
    worker.onerror = (event) =>
      this.#change({
        stage: 'over',
        error: appError('E_INTERNAL', 'message' in event ? event.message : 'the worker'),
      })
    return worker
  }

  #tell(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromWorker): void {
    switch (message.t) {
      case 'unfinished':
        this.#change({ unfinished: message.receives })
        break
      case 'second':
        this.#change({ isSecond: true })
        break
      case 'welcomed':
        this.#isWelcome = true
        this.#change({ limits: message.limits, isDirect: false })
        break
      case 'moved':
        this.#change({ limits: null, isDirect: true })
        break
      case 'paired':
        this.#change({ safety: message.safety })
        break
      case 'greeted':
        this.#change({ sender: message.sender })
        if (this.#state.isRequest && this.#state.stage === 'connecting')
          this.#change({ stage: 'choosing' })
        if (this.#state.stage === 'choosing') this.#change({ isReconnecting: false })
        break
      case 'approval-awaited':
        this.#change({ awaitsApproval: true })
        break
      case 'offered': {
        const { entries, heldBytes, keptIn, room } = message
        const stage = this.#state.stage === 'connecting' ? 'offered' : this.#state.stage
        this.#change({ entries, heldBytes, keptIn, room, stage, awaitsApproval: false })
        break
      }
      case 'resumed':
        this.#change({ stage: 'receiving' })
        break
      case 'left-out':
        this.#change({ leftOut: message.reasons })
        break
      case 'entry-failed': {
        const { path = '', code } = message
        const failed = [...this.#state.failed, { path, code }].slice(0, maxFailed)
        this.#change({ problems: this.#state.problems + 1, failed })
        break
      }
      case 'accepted':
        this.#change({ stage: 'sending' })
        break
      case 'peer-paused':
        this.#change({ isPeerPaused: message.isPaused, samples: [] })
        break
      case 'reconnecting':
        this.#change({ isReconnecting: message.isLost, samples: [] })
        break
      case 'totals':
        this.#measure(message.totals)
        break
      case 'saving':
        this.#change({ stage: 'saving' })
        break
      case 'sent':
        // The next files are another offer.
        if (!this.#state.isSecond && (message.end === null || decided.has(message.end.code)))
          forgetSendIds(this.#code)
        void this.#finish(message.end, {})
        break
      case 'over': {
        const { end, arrived, id } = message
        if (end?.code === 'E_CODE_REQUESTS') {
          this.#startSend()
          break
        }
        this.#shown = id
        const files = [...arrived.files].sort(byPath)
        const { texts, savedFiles } = arrived
        const folders = arrived.folders.length
        const entries: readonly OfferedEntry[] = []
        const shown = { files, texts, folders, savedFiles }
        void this.#finish(end, { entries, ...shown })
        break
      }
      case 'content':
        this.#change({ isSaveFailed: message.content === null })
        if (message.content !== null) save(nameOf(message.entry), message.content)
        break
      case 'packing':
        this.#change({ packedBytes: message.bytes })
        break
      case 'zip':
        this.#change({ packedBytes: null, isPackFailed: message.content === null })
        if (message.content !== null) save('thruflux.zip', message.content)
        break
      case 'too-old':
        this.#change({ stage: 'over', isTooOld: true })
        break
    }
  }

  #measure(totals: Totals): void {
    const sample = { atMs: performance.now(), bytes: totals.bytes }
    this.#change({ totals, samples: addSample(this.#state.samples, sample) })
  }

  #change(changes: Partial<PageState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

/** TypeScript doesn't declare it, and some browsers lack it. */
type AskableHandle = FileSystemDirectoryHandle & {
  readonly requestPermission?: (options: { readonly mode: 'readwrite' }) => Promise<PermissionState>
}

const mayWrite = async (folder: AskableHandle): Promise<boolean> =>
  (await folder.requestPermission?.({ mode: 'readwrite' })) === 'granted'

type PickingWindow = {
  readonly showDirectoryPicker?: (options: {
    readonly id: string
    readonly mode: 'readwrite'
  }) => Promise<FileSystemDirectoryHandle>
}

/** True if the browser can write to a folder that a person chooses. */
export const canChooseFolder = (): boolean =>
  (globalThis as PickingWindow).showDirectoryPicker !== undefined

/** Lets the person choose a folder; `null` if they changed their mind. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    const pick = (globalThis as PickingWindow).showDirectoryPicker
    return (await pick?.({ id: 'thruflux', mode: 'readwrite' })) ?? null
  } catch {
    return null
  }
}
