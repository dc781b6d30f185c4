/** A page's receiver in Node: the same module and code, with sockets of `ws` and a store in memory. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import type { End } from '../../attempt'
import type { OfferedEntry, Totals } from '../../engine/module'
import { Receive } from '../../receive'
import type { OpenSocket, PageSocket } from '../../signaling/introduction'
import { Library } from '../../storage/library'

const module = fileURLToPath(new URL('../../../out/native/web/thruflux.wasm', import.meta.url))

/** The module as `npm run build:web` made it. */
export const moduleBytes = (): Buffer<ArrayBuffer> => readFileSync(module)

/** Opens sockets as Node does; changes can be made to the messages of streams. */
export const openSocket: OpenSocket = (url, protocols = []) =>
  new WebSocket(url, [...protocols], { perMessageDeflate: false }) as unknown as PageSocket

/** Everything that a receive reported. */
export type Received = {
  readonly entries: readonly OfferedEntry[]
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly folders: readonly string[]
  readonly failed: ReadonlyMap<number, string>
  readonly safety: string
  readonly sender: string
  /** The figures at each lost connection, and whenever the sender is found. */
  readonly figures: readonly (Totals | null)[]
  /** Number of lost connections. */
  readonly losses: number
  readonly end: End | null
}

/** Parts of a receive that a test replaces. */
export type Replaced = {
  readonly openSocket?: OpenSocket
  /** Bytes that the page may keep. */
  readonly maxBytes?: number
  /** Names of top-level items that are not wanted. */
  readonly without?: readonly string[]
}

/** Receives everything that `code` offers. */
export async function receive(
  code: string,
  server: string,
  replaced: Replaced = {},
): Promise<Received> {
  const failed = new Map<number, string>()
  const figures: (Totals | null)[] = []
  let entries: readonly OfferedEntry[] = []
  let safety = ''
  let sender = ''
  let losses = 0
  const compiled = await WebAssembly.compile(moduleBytes())
  return new Promise((resolve, reject) => {
    let isAccepted = false
    const one = new Receive({
      code,
      name: 'Page',
      server,
      password: '',
      compiled,
      library: new Library(null, null, replaced.maxBytes),
      isSecond: false,
      openSocket: replaced.openSocket ?? openSocket,
      retryMs: [0, 0, 0],
      events: {
        welcomed: () => undefined,
        moved: () => undefined,
        paired: (digits) => (safety = digits),
        greeted: (name) => {
          sender = name
          figures.push(one.totals())
        },
        approvalAwaited: () => undefined,
        offered: (all) => {
          entries = all
          if (isAccepted) return
          isAccepted = true
          one.accept({ unwanted: replaced.without ?? [], folder: null }).catch(reject)
        },
        resumed: () => undefined,
        leftOut: () => undefined,
        entryFailed: (index, reason) => failed.set(index, reason),
        peerPaused: () => undefined,
        reconnecting: (isLost) => {
          losses += isLost ? 1 : 0
          if (isLost) figures.push(one.totals())
        },
        saving: () => undefined,
        over: (end, { files: arrived, texts, folders: entriesOfFolders }) => {
          const folders = entriesOfFolders.map(({ path }) => path)
          Promise.all(
            [...arrived, ...texts.map(({ entry }) => entry)].map(async (entry) => {
              const content = await one.content(entry)
              return [entry.path, new Uint8Array(await content.arrayBuffer())] as const
            }),
          ).then((files) => {
            const all = new Map(files)
            resolve({ entries, files: all, folders, failed, safety, sender, figures, losses, end })
          }, reject)
        },
      },
    })
    one.start().catch(reject)
  })
}
