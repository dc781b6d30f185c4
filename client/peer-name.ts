/** The name that others see. */
import { limits } from '#shared/limits'

/** The longest beginning of a name that others take, whole characters only. */
export function peerName(text: string): string {
  let short = ''
  for (const character of text.trim()) {
    if (Buffer.byteLength(short + character) > limits.peerNameBytes) break
    short += character
  }
  return short
}
