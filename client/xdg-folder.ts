/** Base folders of Linux, by the XDG specification. */
import { isAbsolute } from 'node:path'

/** What the variable says, unless it is empty or relative: then it has to be ignored, and `usual` is the folder. */
export const xdgFolder = (variable: string | undefined, usual: string): string =>
  variable !== undefined && isAbsolute(variable) ? variable : usual
