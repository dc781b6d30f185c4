/** Files of a watched transfer as lines of the terminal. */
import type { ChangedFile, FileChanges } from '#shared/files'
import { formatBytes } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { Item } from '#shared/state/app-state'
import { text } from '../text'

/** Removes texts, which are shown and not saved. */
export const withoutTexts = (changes: FileChanges, items: readonly Item[]): FileChanges => {
  const texts = new Set(items.flatMap(({ kind, name }) => (kind === 'text' ? [name] : [])))
  return { ...changes, files: changes.files.filter(({ path }) => !texts.has(path)) }
}

/** One line per finished file; `receiver` is its recipient, at the sender. */
export function fileLines({ files, more }: FileChanges, receiver: string | null): string[] {
  const words = text.verbose.files
  const lines = files.flatMap(fileLine)
  const all = more === 0 ? lines : [...lines, words.more(more)]
  return receiver === null ? all : all.map((line) => text.transfer.about(receiver, line))
}

/** No line for a failed file, which is reported as a problem, or for one without a final state. */
function fileLine({ path, size, state }: ChangedFile): readonly string[] {
  const word = text.verbose.files.states[state]
  return word === null ? [] : [`${word} ${visibleText(path)}${text.separator}${formatBytes(size)}`]
}

/** `photos/a.jpg and 2 more`; empty if no file is active. */
export function currentText({ active, activeFiles }: FileChanges): string {
  const [first] = active
  if (first === undefined) return ''
  const path = visibleText(first)
  return activeFiles === 1 ? path : text.verbose.files.current(path, activeFiles - 1)
}
