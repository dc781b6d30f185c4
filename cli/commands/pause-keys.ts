/** Keys of a transfer: space or p pauses and resumes, a adds to what is shared, q stops. */
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** What keys do to a transfer. */
export type KeyActions = {
  /** Whether it is paused from here now. */
  readonly isPaused: () => boolean
  readonly pause: (paused: boolean) => void
  /** Asks what to add; where nothing can be added there is no such key. */
  readonly add?: (() => Promise<void>) | undefined
  /** As Ctrl-C. */
  readonly stop: () => void
}

/** Says once which keys there are, and obeys them until the result is called. */
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
