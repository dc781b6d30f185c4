/**
 * The words of join codes. No two of them begin with the same three letters, so three letters are
 * enough to complete a word. The engine compiles the same list in; see resources/README.md.
 */
import wordList from '../../resources/wordlist.txt?raw'

/** No two words begin with the same letters up to here. */
const prefixLetters = 3

/** More would be a list to read, and the right word is nearly always among the nearest. */
const maxNearest = 3

/** Longest word of the list, in letters. */
const maxWordLength = 10

const words: readonly string[] = wordList.trim().split(/\r?\n/)

const byBeginning: ReadonlyMap<string, string> = new Map(
  words.map((word) => [word.slice(0, prefixLetters), word]),
)

/** The one word that begins so; `null` for no word and for fewer than three letters. */
export function wordThatBegins(beginning: string): string | null {
  const word = byBeginning.get(beginning.slice(0, prefixLetters))
  return word?.startsWith(beginning) === true ? word : null
}

export const isCodeWord = (word: string): boolean => wordThatBegins(word) === word

/**
 * Words that may be meant by `typed`, the likeliest first; none when nothing is near. People get
 * beginnings right: the word with the same three letters counts as one slip away.
 */
export function nearestWords(typed: string): readonly string[] {
  if (typed.length > maxWordLength + 2) return []
  const beginner = byBeginning.get(typed.slice(0, prefixLetters))
  return words
    .map((word) => ({ word, slips: word === beginner ? 1 : editDistance(typed, word) }))
    .filter(({ slips }) => slips <= maxSlips(typed))
    .sort((a, b) => a.slips - b.slips)
    .slice(0, maxNearest)
    .map(({ word }) => word)
}

/** Two slips of the fingers in a word of usual length, one in a short one. */
const maxSlips = (typed: string): number => (typed.length < 5 ? 1 : 2)

/** Letters to insert, leave out, replace, or exchange with their neighbour (optimal alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isExchanged ? [(beforeLast[column - 2] ?? 0) + 1] : []),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
