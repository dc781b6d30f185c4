/** Keys of a transfer: space or p pauses and resumes, a adds to the share, q stops. */
import type { Client } from '#client/client'
import { isRunning } from '#shared/state/app-state'
import type { NetworkOptions } from '../compose-client'
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

/** Handles the keys until the result is called, and lists them once: after `listed`, if it is given. */
export function obeyKeys(
  terminal: Terminal,
  quiet: boolean,
  { isPaused, pause, add, stop }: KeyActions,
  listed?: Promise<unknown>,
): () => void {
  const onKey = (key: string): void => {
    if (key === ' ' || key === 'p') pause(!isPaused())
    else if (key === 'q') stop()
    else if (key === 'a') void add?.()
  }
  const end = terminal.readKeys(onKey)
  if (end === false) return () => undefined
  let isOver = false
  const list = (): void => {
    if (quiet || isOver) return
    terminal.note(add === undefined ? text.transfer.keys : text.share.keys, 'faint')
  }
  if (listed === undefined) list()
  else void listed.then(list)
  return () => {
    isOver = true
    end()
  }
}

/** Keys that pause and resume all receives, and stop the command. */
export function receiveKeys(
  client: Client,
  { json, quiet }: NetworkOptions,
  terminal: Terminal,
): () => void {
  if (json === true) return () => undefined
  const running = () => client.snapshot().state.receives.filter(isRunning)
  return obeyKeys(terminal, quiet === true, {
    isPaused: () => running().some(({ flow }) => flow.kind === 'paused'),
    pause: (paused) => {
      for (const { id } of running()) void client.receives.get(id)?.pause(paused)
    },
    stop: () => void process.kill(process.pid, 'SIGINT'),
  })
}
