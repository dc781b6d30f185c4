/** A QR code made of block characters, for terminals with light text on a dark background. */
import { encode } from 'uqr'

/** Width of the quiet zone in modules; on a screen, readers need less than the standard's four. */
const quietZone = 2

/** One line per two rows of modules: a block is light, a space dark. */
export function qrLines(text: string): readonly string[] {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const isLight = (row: number, column: number): boolean => data[row]?.[column] !== true
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (_module, column) => {
      const [top, bottom] = [isLight(2 * line, column), isLight(2 * line + 1, column)]
      return top ? (bottom ? '█' : '▀') : bottom ? '▄' : ' '
    }).join(''),
  )
}
