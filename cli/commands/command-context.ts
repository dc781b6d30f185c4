import type { Reporter } from '../report/reporter'
import type { StopSignal } from '../terminal/stop-signal'
import type { Terminal } from '../terminal/terminal'

/** The surroundings of a command that connects. */
export type CommandContext = {
  readonly reporter: Reporter
  readonly terminal: Terminal
  /** Resolves when a signal asks the command to end. */
  readonly stopped: Promise<StopSignal>
}
