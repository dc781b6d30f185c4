/** A page's sender in Node: the same module and code, with sockets of `ws`. */
import { randomBytes } from 'node:crypto'
import type { End } from '../../attempt'
import type { ChosenEntry } from '../../chosen'
import { Send } from '../../send'
import type { OpenSocket } from '../../signaling/introduction'
import type { KeptSendIds } from '../../storage/send-ids'
import { moduleBytes, openSocket } from './page-receiver'

/** Everything that a sending reported. */
export type Sent = {
  readonly safety: string
  readonly requester: string
  readonly failed: ReadonlyMap<string, string>
  /** Bytes of the whole offer, as shown whenever the requester is found. */
  readonly totalBytes: readonly number[]
  /** Number of lost connections. */
  readonly losses: number
  readonly files: number
  readonly end: End | null
}

/** Parts of a sending that a test replaces. */
export type SentReplaced = {
  readonly openSocket?: OpenSocket
  readonly ids?: KeptSendIds
  /** Delays before attempts after a lost connection, ms. */
  readonly retryMs?: readonly number[]
  /** Called while nothing is offered; without it, everything is offered at once. */
  readonly waits?: (event: 'welcomed' | 'greeted', one: Send) => void
  /** Called when data flows. */
  readonly accepted?: (one: Send) => void
}

/** A file as a browser gives it. */
export const fileOf = (path: string, content: string | Uint8Array<ArrayBuffer>): ChosenEntry => {
  const file = new File([content], path.slice(path.lastIndexOf('/') + 1), { lastModified: 1e12 })
  return { path, file, modifiedMs: file.lastModified }
}

export const folderOf = (path: string): ChosenEntry => ({ path, file: null, modifiedMs: 1e12 })

/** Sends everything to the computer that requests files by `code`. */
export async function send(
  code: string,
  server: string,
  entries: readonly ChosenEntry[],
  replaced: SentReplaced = {},
): Promise<Sent> {
  const failed = new Map<string, string>()
  let [safety, requester, losses] = ['', '', 0]
  const totalBytes: number[] = []
  const compiled = await WebAssembly.compile(moduleBytes())
  const random = (): string => randomBytes(16).toString('hex')
  return new Promise((resolve, reject) => {
    const one = new Send({
      ...{ code, name: 'Page', server, password: '', compiled },
      ids: replaced.ids ?? { join: random(), share: random() },
      openSocket: replaced.openSocket ?? openSocket,
      retryMs: replaced.retryMs ?? [0, 0, 0],
      events: {
        welcomed: () => replaced.waits?.('welcomed', one),
        moved: () => undefined,
        paired: (digits) => (safety = digits),
        greeted: (name) => {
          requester = name
          totalBytes.push(one.totals()?.totalBytes ?? 0)
          replaced.waits?.('greeted', one)
        },
        accepted: () => replaced.accepted?.(one),
        entryFailed: (path, reason) => failed.set(path, reason),
        peerPaused: () => undefined,
        reconnecting: (isLost) => (losses += isLost ? 1 : 0),
        over: (end) =>
          resolve({
            ...{ safety, requester, failed, totalBytes, losses, end },
            files: one.totals()?.files ?? 0,
          }),
      },
    })
    if (replaced.waits === undefined) one.offer(entries)
    one.start().catch(reject)
  })
}
