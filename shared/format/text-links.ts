/** Links in a received text. Its sender is untrusted, so a link must look like the address that it opens. */
import { visibleText } from '#shared/format/visible-text'

/** Maximum length of a link in characters; a longer one stays plain text. */
export const maxLinkLength = 2048
/** Maximum number of links in a text; the rest stay plain text. */
export const maxLinks = 200

/** A part of a text, unchanged. */
export type TextPart = { readonly isLink: boolean; readonly text: string }

const candidate = /https?:\/\/[^\s\p{C}\p{Z}<>"'`{}|\\^]+/giu
/** Punctuation that belongs to the sentence, not to the link. */
const behind = /[.,;:!?…]+$/u

/** The parts of a text in order; together they are the whole text. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  let links = 0
  for (const { 0: found, index } of text.matchAll(candidate)) {
    const link = trimmed(found)
    if (!isSafeLink(link)) continue
    if (links === maxLinks) break
    if (index > end) parts.push({ isLink: false, text: text.slice(end, index) })
    parts.push({ isLink: true, text: link })
    end = index + link.length
    links += 1
  }
  if (end < text.length) parts.push({ isLink: false, text: text.slice(end) })
  return parts
}

/** Removes trailing characters of the sentence, such as a closing parenthesis that the link doesn't open. */
function trimmed(found: string): string {
  const link = found.replace(behind, '')
  return link.endsWith(')') && !link.includes('(') ? trimmed(link.slice(0, -1)) : link
}

/** True for an http or https address without a user, a password or invisible characters. */
export function isSafeLink(link: string): boolean {
  if (link.length > maxLinkLength || visibleText(link) !== link) return false
  try {
    const { protocol, username, password, hostname } = new URL(link)
    const isWeb = protocol === 'http:' || protocol === 'https:'
    return isWeb && username === '' && password === '' && hostname !== ''
  } catch {
    return false
  }
}
