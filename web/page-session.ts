/** The state of the page, and the receive behind it. */
import { type AppError, appError } from '#shared/errors'
import { addSample } from '#shared/format/rate'
import { decodeHealth, healthPath, type WebLimits } from '#shared/signaling/messages'
import type { RateSample } from '#shared/state/app-state'
import type { EntryRange, OfferedEntry, Totals } from './engine/module'
import { Receive } from './receive'
import { IndexedStore } from './storage/indexed-store'
import { MemoryStore, type Store } from './storage/store'

/** Bytes that a page may keep in memory if the browser has no disk for it. */
export const mostInMemory = 256_000_000

/** A file that has arrived. */
export type ArrivedFile = { readonly entry: OfferedEntry; readonly content: Blob }

/** Everything that the page shows. */
export type PageState = {
  readonly stage: 'code' | 'connecting' | 'offered' | 'receiving' | 'over'
  readonly safety: string
  readonly sender: string
  readonly awaitsApproval: boolean
  readonly entries: readonly OfferedEntry[]
  readonly isInMemory: boolean
  readonly totals: Totals
  readonly samples: readonly RateSample[]
  readonly isPaused: boolean
  readonly isPeerPaused: boolean
  readonly files: readonly ArrivedFile[]
  readonly problems: number
  /** True if the browser can't run the module. */
  readonly isTooOld: boolean
  /** True if the server wants a password, which none or a wrong one was given for. */
  readonly wantsPassword: boolean
  /** The server's limits for pages, if it has any. */
  readonly limits: WebLimits | null
  /** Set at the end of a receive that failed. */
  readonly error: AppError | null
}

const nothing: PageState = {
  stage: 'code',
  safety: '',
  sender: '',
  awaitsApproval: false,
  entries: [],
  isInMemory: false,
  totals: { bytes: 0, totalBytes: 0, files: 0, totalFiles: 0 },
  samples: [],
  isPaused: false,
  isPeerPaused: false,
  files: [],
  problems: 0,
  isTooOld: false,
  wantsPassword: false,
  limits: null,
  error: null,
}

/** Interval between changes of the figures on the page, ms. */
const figuresMs = 250

const openSocket = (url: string, protocols: readonly string[] = []): WebSocket =>
  new WebSocket(url, [...protocols])

/** True if the server has passwords. A browser doesn't tell why a WebSocket was refused. */
async function hasPassword(): Promise<boolean> {
  try {
    const health = decodeHealth(await (await fetch(healthPath)).text())
    return health.ok && health.value.password === true
  } catch {
    return false
  }
}

/** A store on the browser's disk, or in memory. */
async function openStore(): Promise<{ readonly store: Store; readonly isInMemory: boolean }> {
  try {
    return { store: await IndexedStore.open(), isInMemory: false }
  } catch {
    return { store: new MemoryStore(mostInMemory), isInMemory: true }
  }
}

const natural = new Intl.Collator(undefined, { numeric: true })

const byPath = (a: ArrivedFile, b: ArrivedFile): number =>
  natural.compare(a.entry.path, b.entry.path)

/** The page's state; `subscribe` and `state` are for React. */
export class PageSession {
  readonly #listeners = new Set<() => void>()
  readonly #module: string
  readonly #server: string
  #state = nothing
  #receive: Receive | null = null
  #store: Store | null = null
  /** Shown at the end: there may be very many. */
  #files: ArrivedFile[] = []
  /** True once the server has answered. */
  #isWelcome = false
  #figures: ReturnType<typeof setInterval> | undefined

  /** `module` is the URL of the WebAssembly module, `server` the signaling server's address. */
  constructor(module: string, server: string) {
    this.#module = module
    this.#server = server
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): PageState => this.#state

  /** Connects to the sender of a code in its normal form; `password` is the server's, or empty. */
  async connect(code: string, password = ''): Promise<void> {
    if (this.#state.stage !== 'code' && this.#state.stage !== 'over') return
    this.#files = []
    this.#isWelcome = false
    this.#change({ ...nothing, stage: 'connecting' })
    const isClosed = await hasPassword()
    if (isClosed && password === '') {
      this.#change({ stage: 'code', wantsPassword: true })
      return
    }
    try {
      await this.#store?.clear()
      const { store, isInMemory } = await openStore()
      this.#store = store
      this.#change({ isInMemory })
      const compiled = await this.#compile()
      if (compiled === null) return
      const receive = new Receive({
        code,
        name: '',
        server: this.#server,
        password,
        compiled,
        store,
        openSocket,
        events: {
          welcomed: (limits) => {
            this.#isWelcome = true
            this.#change({ limits })
          },
          paired: (safety) => this.#change({ safety }),
          greeted: (sender) => this.#change({ sender }),
          approvalAwaited: () => this.#change({ awaitsApproval: true }),
          offered: (entries) => this.#offered(entries),
          file: (entry, content) => {
            this.#files.push({ entry, content })
          },
          entryFailed: () => this.#change({ problems: this.#state.problems + 1 }),
          peerPaused: (isPeerPaused) => this.#change({ isPeerPaused }),
          over: (end) => {
            if (isClosed && !this.#isWelcome) this.#change({ wantsPassword: true })
            this.#over(end === null ? null : appError(end.code, end.detail))
          },
        },
      })
      this.#receive = receive
      await receive.start()
    } catch (reason) {
      this.#over(appError('E_INTERNAL', String(reason)))
    }
  }

  /** Receives everything but these entries. */
  accept(unwanted: readonly EntryRange[]): void {
    if (this.#state.stage !== 'offered') return
    this.#change({ stage: 'receiving' })
    this.#figures = setInterval(() => this.#measure(), figuresMs)
    this.#receive?.accept(unwanted)
  }

  setPaused(isPaused: boolean): void {
    this.#receive?.setPaused(isPaused)
    this.#change({ isPaused })
  }

  cancel(): void {
    this.#receive?.cancel()
  }

  /** The module; `null` if it can't be had, which the page then shows. */
  async #compile(): Promise<WebAssembly.Module | null> {
    const response = await fetch(this.#module).catch(() => null)
    if (response?.ok !== true) {
      this.#over(appError('E_SERVER_UNREACHABLE', 'the module', location.host))
      return null
    }
    try {
      return await WebAssembly.compileStreaming(response)
    } catch {
      this.#change({ stage: 'over', isTooOld: true })
      return null
    }
  }

  #offered(entries: readonly OfferedEntry[]): void {
    const { stage } = this.#state
    this.#change({
      entries,
      awaitsApproval: false,
      stage: stage === 'connecting' ? 'offered' : stage,
    })
  }

  #measure(): void {
    const totals = this.#receive?.totals()
    if (totals === null || totals === undefined) return
    const sample = { atMs: performance.now(), bytes: totals.bytes }
    this.#change({ totals, samples: addSample(this.#state.samples, sample) })
  }

  #over(error: AppError | null): void {
    clearInterval(this.#figures)
    this.#measure()
    this.#change({ stage: 'over', error, files: this.#files.sort(byPath) })
  }

  #change(changes: Partial<PageState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
