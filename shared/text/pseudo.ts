/**
 * A catalogue that looks foreign but stays readable: accents on every letter, brackets around each text, and appended
 * words that make it 40% longer. Text on the screen without accents is missing from the catalogue; text without its
 * bracket is truncated.
 */

import { withEachText } from '#shared/text/catalogue'

const accented = new Map(
  Array.from(
    'aåbƀcçdðeéfƒgĝhĥiîjĵkķlļmɱnñoöpþrŕsštţuûvṽwŵxẋyýzžAÅBƁCÇDÐEÉFƑGĜHĤIÎJĴKĶLĻMṀNÑOÖPÞRŔSŠTŢUÛVṼWŴXẊYÝZŽ',
  ).reduce<[string, string][]>((pairs, letter, index, all) => {
    if (index % 2 === 0) pairs.push([letter, all[index + 1] ?? letter])
    return pairs
  }, []),
)

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** `[Šţöþ šĥåŕîñĝ one]`. */
export function pseudoText(english: string): string {
  if (!/\p{L}/u.test(english)) return english
  const letters = Array.from(english, (letter) => accented.get(letter) ?? letter).join('')
  let padding = ''
  for (let word = 0; padding.length < english.length * 0.4; word += 1) {
    padding += ` ${words[word % words.length] ?? ''}`
  }
  return `[${letters}${padding}]`
}

/** The same for every text of a catalogue. */
export const pseudoCatalogue = <Catalogue>(english: Catalogue): Catalogue =>
  withEachText(english, pseudoText)
