/**
 * A catalogue that looks foreign and is still readable: accents on every letter, brackets around each
 * text, and words behind it that make it 40% longer. What lacks them on the screen stands in no
 * catalogue; what lacks its bracket is cut off.
 */

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

/** The same of every text in a catalogue, and of what its functions say. */
export const pseudoCatalogue = <Catalogue>(english: Catalogue): Catalogue =>
  pseudo(english) as Catalogue

function pseudo(said: unknown): unknown {
  if (typeof said === 'string') return pseudoText(said)
  if (typeof said === 'function') {
    return (...parameters: unknown[]) =>
      pseudo((said as (...given: unknown[]) => unknown)(...parameters))
  }
  if (typeof said !== 'object' || said === null) return said
  return Object.fromEntries(Object.entries(said).map(([key, text]) => [key, pseudo(text)]))
}
