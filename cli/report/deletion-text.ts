/** Lines on a terminal about files that the sender has deleted. */
import { visibleText } from '#shared/format/visible-text'
import type { Deletions } from '#shared/state/deletions'
import { text } from '../text'

/** More lines would hide what follows. */
const mostLines = 20

/** A line about the files that were moved, and one about each that stays. */
export function deletionLines({ moved, folder, keptCount, kept }: Deletions): readonly string[] {
  const words = text.receive.deletions
  const shown = kept.slice(0, mostLines)
  return [
    ...(moved > 0 ? [words.moved(moved, folder)] : []),
    ...shown.map(({ path, why }) => words[why](visibleText(path))),
    ...(keptCount > shown.length ? [words.more(keptCount - shown.length)] : []),
  ]
}
