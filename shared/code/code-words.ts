/**
 * The words of join codes. Their first three letters are unique, so three letters are enough to complete a word. The
 * engine has the same list compiled in; see resources/README.md.
 */
import wordList from '../../resources/wordlist.txt?raw'

/** The letters that identify a word. */
const prefixLetters = 3

/** More would be a list to read, and the right word is nearly always among the nearest. */
const maxNearest = 3

/** Longest word of the list, in letters. */
const maxWordLength = 10

const words: readonly string[] = wordList.trim().split(/\r?\n/)

const byBeginning: ReadonlyMap<string, string> = new Map(
  words.map((word) => [word.slice(0, prefixLetters), word]),
)

/** The word that begins like this; `null` for no word and for fewer than three letters. */
export function wordThatBegins(beginning: string): string | null {
  const word = byBeginning.get(beginning.slice(0, prefixLetters))
  return word?.startsWith(beginning) === true ? word : null
}

export const isCodeWord = (word: string): boolean => wordThatBegins(word) === word

/**
 * Words that may be meant by `typed`, the likeliest first; empty when none is close. People get beginnings right, so
 * the word with the same three letters counts as one slip away.
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

/** Two typing slips in a word of usual length, one in a short one. */
const maxSlips = (typed: string): number => (typed.length < 5 ? 1 : 2)

/** Letters to insert, delete, replace or swap with their neighbor (optimal string alignment distance). */
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
