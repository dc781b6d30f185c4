/** One of six quiet colors for a person; a name always gets the same one. */
export type PersonHue = 1 | 2 | 3 | 4 | 5 | 6

const hues = [1, 2, 3, 4, 5, 6] as const

export function personHue(name: string): PersonHue {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return hues[sum % hues.length] ?? 1
}

/** "Mina Park" is MP, "build-host" is BH, "Mina" is M. Empty for a name without letters. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const first = words[0]
  const last = words.length > 1 ? words.at(-1) : undefined
  return [first, last].map((word) => firstLetter(word)).join('')
}

/** Iterates over code points, so that a letter outside the basic plane stays whole. */
const firstLetter = (word: string | undefined): string =>
  word === undefined ? '' : ([...word][0] ?? '').toUpperCase()
