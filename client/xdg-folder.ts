/** Base folders on Linux, by the XDG specification. */
import { isAbsolute } from 'node:path'

/** The variable's folder; `usual` if it is empty or relative, which the specification says to ignore. */
export const xdgFolder = (variable: string | undefined, usual: string): string =>
  variable !== undefined && isAbsolute(variable) ? variable : usual
