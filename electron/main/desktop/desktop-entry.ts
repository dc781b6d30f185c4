/** Desktop entries of Linux, as the freedesktop.org specification has them (version 1.5). */

export type DesktopEntry = {
  readonly name: string
  /** The program and its arguments; codes such as `%U` stand for themselves. */
  readonly command: readonly string[]
  /** More lines, such as `MimeType`. */
  readonly more?: Readonly<Record<string, string>>
}

/** Reserved in an `Exec` line unless quoted. */
const reserved = /[\s"'\\><~|&;$*?#()`]/

const fieldCode = /^%[fFuU]$/

/** One argument of an `Exec` line: quoted where needed, `%` doubled. */
function execArgument(argument: string): string {
  if (fieldCode.test(argument)) return argument
  const plain = argument.replace(/%/g, '%%')
  if (argument !== '' && !reserved.test(argument)) return plain
  // Once for the quotes of the command, once more for strings of the file.
  return escapedValue(`"${plain.replace(/["`$\\]/g, '\\$&')}"`)
}

const escapedValue = (value: string): string => value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')

/** The content of a `.desktop` file. */
export const desktopEntry = ({ name, command, more = {} }: DesktopEntry): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${escapedValue(name)}`,
    `Exec=${command.map(execArgument).join(' ')}`,
    'Terminal=false',
    ...Object.entries(more).map(([key, value]) => `${key}=${escapedValue(value)}`),
    '',
  ].join('\n')
