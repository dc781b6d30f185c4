/** The bytes that a browser can still keep. */

/** Chromium adds this to the usage and reports the sum, so that no page recognizes a private window. */
const madeUp = 10 * 1024 ** 3

/** Bytes that a browser can still keep by its own estimate, at most; `null` if that says nothing. */
export function roomOf({ quota, usage = 0 }: StorageEstimate): number | null {
  if (quota === undefined) return null
  const left = quota - usage
  return usage > 0 && left === madeUp ? null : left
}
