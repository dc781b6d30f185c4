/** The bytes that a browser can still keep. */

const gibibyte = 1024 ** 3

/**
 * Bytes that a browser can still keep by its own estimate; `null` if that says nothing. Chromium reports what is used
 * and up to ten whole GiB, but enforces another limit, so that no page recognizes a private window.
 */
export function roomOf({ quota, usage = 0 }: StorageEstimate): number | null {
  if (quota === undefined) return null
  const left = quota - usage
  const isMadeUp = usage > 0 && left <= 10 * gibibyte && left % gibibyte === 0
  return isMadeUp ? null : left
}
