/** Limits the name that peers see. */
import { limits } from '#shared/limits'

/** The longest prefix of a name that peers accept, in whole characters. */
export function peerName(text: string): string {
  let short = ''
  for (const character of text.trim()) {
    if (Buffer.byteLength(short + character) > limits.peerNameBytes) break
    short += character
  }
  return short
}
