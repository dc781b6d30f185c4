/** Desktop entries on Linux, by the freedesktop.org specification (version 1.5). */

export type DesktopEntry = {
  readonly name: string
  /** The program and its arguments; codes such as `%U` are kept. */
  readonly command: readonly string[]
  /** Additional lines, such as `MimeType`. */
  readonly more?: Readonly<Record<string, string>>
}

/** Characters of an `Exec` line that require quotes. */
const reserved = /[\s"'\\><~|&;$*?#()`]/

const fieldCode = /^%[fFuU]$/

/** Escapes an argument of an `Exec` line: quoted where needed, `%` doubled. */
function execArgument(argument: string): string {
  if (fieldCode.test(argument)) return argument
  const plain = argument.replace(/%/g, '%%')
  if (argument !== '' && !reserved.test(argument)) return plain
  // Escaped first for the quotes of the command, then for the strings of the file.
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
