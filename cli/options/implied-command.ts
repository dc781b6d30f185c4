/** The command and the input that a command line means without naming them. */
import { existsSync, fstatSync } from 'node:fs'
import { readCode } from '#shared/code/code-entry'

/**
 * `args` with the command that they imply in front: `host` for an existing path, or for piped input alone, and `join` for
 * a join code. Unchanged if the first one is a name in `names` or an option, and otherwise.
 */
export function withImpliedCommand(
  args: readonly string[],
  names: readonly string[],
  isPiped: () => boolean,
): readonly string[] {
  const [first] = args
  if (first === undefined) return isPiped() ? ['host'] : args
  if (first.startsWith('-') || names.includes(first)) return args
  if (existsSync(first)) return ['host', ...args]
  return readCode(first).ok ? ['join', ...args] : args
}

/** True if another program or a file supplies standard input; false for a terminal, `/dev/null` and a socket. */
export function isInputPiped(): boolean {
  try {
    const input = fstatSync(0)
    return input.isFIFO() || input.isFile()
  } catch {
    return false
  }
}
