/** The ids of unfinished sendings, by which a requester continues one after its tab was closed. */
import { hexOf } from '../engine/module'

const key = 'thruflux-sends'
/** Codes live for hours, so few are unfinished. */
const maxIds = 20
const digits = 32

/** The ids of one sending, each of 32 hexadecimal digits. */
export type KeptSendIds = {
  /** The one in the first message of each join, which the signaling server sees. */
  readonly join: string
  /** The one that only the requester sees: nothing relates it to `join`. */
  readonly share: string
}

/** The two ids follow each other under the code. */
type Kept = Readonly<Record<string, string>>
type Place = Pick<Storage, 'getItem' | 'setItem'>

/** A browser may keep nothing, or something else. */
function load(storage: Place): Kept {
  try {
    const ids: unknown = JSON.parse(storage.getItem(key) ?? '{}')
    const isRight = ([, both]: [string, unknown]): boolean =>
      typeof both === 'string' && /^[0-9a-f]{64}$/.test(both)
    return Object.fromEntries(Object.entries(Object(ids) as object).filter(isRight)) as Kept
  } catch {
    return {}
  }
}

function store(storage: Place, ids: readonly (readonly [string, string])[]): void {
  try {
    storage.setItem(key, JSON.stringify(Object.fromEntries(ids.slice(-maxIds))))
  } catch {
    // The sending can't be continued by another tab.
  }
}

const without = (storage: Place, code: string): readonly (readonly [string, string])[] =>
  Object.entries(load(storage)).filter(([each]) => each !== code)

const split = (both: string): KeptSendIds => ({
  ...{ join: both.slice(0, digits), share: both.slice(digits) },
})

const random = (): string => hexOf(crypto.getRandomValues(new Uint8Array(32)))

/** Ids that no other tab gets. */
export const newSendIds = (): KeptSendIds => split(random())

/** The ids of the sending by a code. */
export function sendIdsOf(code: string, storage: Place = localStorage): KeptSendIds {
  const known = load(storage)
  const both = (Object.hasOwn(known, code) ? known[code] : undefined) ?? random()
  store(storage, [...without(storage, code), [code, both]])
  return split(both)
}

/** The sending is complete: the next one is new. */
export const forgetSendIds = (code: string, storage: Place = localStorage): void =>
  store(storage, without(storage, code))
