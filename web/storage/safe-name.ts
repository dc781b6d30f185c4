/** Names for received files that every system accepts. */
import { visibleText } from '#shared/format/visible-text'

/** Signs that some systems refuse in names. */
const refused = /[<>:"\\|?*]/g
/** Names that Windows keeps for devices, with any ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

const safeName = (name: string): string =>
  visibleText(name)
    .replace(refused, '_')
    .replace(/[. ]+$/, '_')
    .replace(devices, '_$1')

/** A path of the sender's choice, as every system can store it. */
export const safePath = (path: string): string => path.split('/').map(safeName).join('/')

/** `photo (2).jpg` for the second file of a name. */
export function numbered(name: string, number: number): string {
  if (number < 2) return name
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`
}
