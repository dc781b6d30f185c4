/** A page's receiver in Node: the same module and code, with sockets of `ws` and a store in memory. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import type { OfferedEntry } from '../../engine/module'
import { type End, Receive } from '../../receive'
import type { OpenSocket, PageSocket } from '../../signaling/introduction'
import { MemoryStore, type Store } from '../../storage/store'

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
  readonly failed: ReadonlyMap<number, string>
  readonly safety: string
  readonly sender: string
  readonly end: End | null
}

/** Parts of a receive that a test replaces. */
export type Replaced = {
  readonly store?: Store
  readonly openSocket?: OpenSocket
  /** Names of entries that are not wanted. */
  readonly without?: readonly string[]
}

/** Receives everything that `code` offers. */
export async function receive(
  code: string,
  server: string,
  replaced: Replaced = {},
): Promise<Received> {
  const files = new Map<string, Uint8Array>()
  const failed = new Map<number, string>()
  let entries: readonly OfferedEntry[] = []
  let safety = ''
  let sender = ''
  const reading: Promise<unknown>[] = []
  const compiled = await WebAssembly.compile(moduleBytes())
  const { without = [] } = replaced
  return new Promise((resolve, reject) => {
    let isAccepted = false
    const one = new Receive({
      code,
      name: 'Page',
      server,
      password: '',
      compiled,
      store: replaced.store ?? new MemoryStore(256 << 20),
      openSocket: replaced.openSocket ?? openSocket,
      events: {
        welcomed: () => undefined,
        paired: (digits) => (safety = digits),
        greeted: (name) => (sender = name),
        approvalAwaited: () => undefined,
        offered: (all) => {
          entries = all
          if (isAccepted) return
          isAccepted = true
          const unwanted = all.filter(({ path }) => without.includes(path))
          // Handlers may not call the module.
          queueMicrotask(() =>
            one.accept(unwanted.map(({ index }) => ({ first: index, count: 1 }))),
          )
        },
        file: ({ path }, content) => {
          reading.push(
            content.arrayBuffer().then((bytes) => files.set(path, new Uint8Array(bytes))),
          )
        },
        entryFailed: (index, reason) => failed.set(index, reason),
        peerPaused: () => undefined,
        over: (end) => {
          Promise.all(reading).then(
            () => resolve({ entries, files, failed, safety, sender, end }),
            reject,
          )
        },
      },
    })
    one.start().catch(reject)
  })
}
