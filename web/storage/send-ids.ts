/** The ids of unfinished sendings, by which a requester continues one after its tab was closed. */

const key = 'thruflux-sends'
/** Codes live for hours, so few are unfinished. */
const maxIds = 20

type Ids = Readonly<Record<string, string>>

/** A browser may keep nothing, or something else. */
function load(): Ids {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const isRight = ([, id]: [string, unknown]): boolean =>
      typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
    return Object.fromEntries(Object.entries(Object(ids) as object).filter(isRight)) as Ids
  } catch {
    return {}
  }
}

function store(ids: readonly (readonly [string, string])[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(ids.slice(-maxIds))))
  } catch {
    // The sending can't be continued by another tab.
  }
}

const without = (code: string): readonly (readonly [string, string])[] =>
  Object.entries(load()).filter(([each]) => each !== code)

/** The id of the sending by a code: 32 hexadecimal digits. */
export function sendIdOf(code: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const known = load()
  const id = (Object.hasOwn(known, code) ? known[code] : undefined) ?? fresh
  store([...without(code), [code, id]])
  return id
}

/** The sending is complete: the next one is new. */
export const forgetSendId = (code: string): void => store(without(code))
