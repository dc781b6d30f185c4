/** Keys of a transfer: space or p pauses and resumes, a adds to the share, q stops. */
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** Actions of the keys on a transfer. */
export type KeyActions = {
  /** True while this side has paused it. */
  readonly isPaused: () => boolean
  readonly pause: (paused: boolean) => void
  /** Asks for a path to add; absent if nothing can be added. */
  readonly add?: (() => Promise<void>) | undefined
  /** Same effect as Ctrl-C. */
  readonly stop: () => void
}

/** Prints the keys once, and handles them until the result is called. */
export function obeyKeys(
  terminal: Terminal,
  quiet: boolean,
  { isPaused, pause, add, stop }: KeyActions,
): () => void {
  const onKey = (key: string): void => {
    if (key === ' ' || key === 'p') pause(!isPaused())
    else if (key === 'q') stop()
    else if (key === 'a') void add?.()
  }
  const end = terminal.readKeys(onKey)
  if (end === false) return () => undefined
  if (!quiet) terminal.note(add === undefined ? text.transfer.keys : text.share.keys, 'faint')
  return end
}
