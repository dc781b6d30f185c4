/** A name for a text that has none: its first words, as far as every system has them in a file's name. */
export function textName(words: string): string {
  const [line = ''] = words.trim().split('\n')
  const safe = line
    .replace(/[^\p{L}\p{N} _,-]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return [...safe].slice(0, 40).join('').trim()
}
