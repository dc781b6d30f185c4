/** Links in a received text. Its sender may be anyone, so only what people see and browsers open is a link. */
import { visibleText } from '#shared/visible-text'

/** Characters; what is longer stays words. */
export const longestLink = 2048
/** Of one text; those behind them stay words. */
export const mostLinks = 200

/** A part of a text, as it stands there. */
export type TextPart = { readonly isLink: boolean; readonly text: string }

const candidate = /https?:\/\/[^\s\p{C}\p{Z}<>"'`{}|\\^]+/giu
/** Ends the sentence and not the link; a parenthesis does when the link opens none. */
const behind = /[.,;:!?…]+$/u

/** The text in order, without losing a character. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  let links = 0
  for (const { 0: found, index } of text.matchAll(candidate)) {
    const link = trimmed(found)
    if (!isSafeLink(link)) continue
    if (links === mostLinks) break
    if (index > end) parts.push({ isLink: false, text: text.slice(end, index) })
    parts.push({ isLink: true, text: link })
    end = index + link.length
    links += 1
  }
  if (end < text.length) parts.push({ isLink: false, text: text.slice(end) })
  return parts
}

function trimmed(found: string): string {
  const link = found.replace(behind, '')
  return link.endsWith(')') && !link.includes('(') ? trimmed(link.slice(0, -1)) : link
}

/** True for an http or https address without a name or password in it, which looks like what it is. */
export function isSafeLink(link: string): boolean {
  if (link.length > longestLink || visibleText(link) !== link) return false
  try {
    const { protocol, username, password, hostname } = new URL(link)
    const isWeb = protocol === 'http:' || protocol === 'https:'
    return isWeb && username === '' && password === '' && hostname !== ''
  } catch {
    return false
  }
}
