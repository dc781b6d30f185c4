import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { visibleLines, visibleText } from '#shared/format/visible-text'

type Vector = { readonly name: string; readonly bytes: string; readonly shown: string }

const path = new URL('../../../docs/vectors/names.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as { readonly vectors: Vector[] }

/** Decodes like the engine: bytes that aren't UTF-8 become lone surrogates. */
function decoded(hex: string): string {
  let text = ''
  let rest = Buffer.from(hex, 'hex')
  while (rest.length > 0) {
    const length = [1, 2, 3, 4].find((count) => {
      const character = rest.subarray(0, count)
      return character.length === count && isOneCharacter(character)
    })
    text +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (rest[0] ?? 0))
        : rest.subarray(0, length).toString('utf8')
    rest = rest.subarray(length ?? 1)
  }
  return text
}

const isOneCharacter = (bytes: Buffer): boolean => {
  const text = bytes.toString('utf8')
  return [...text].length === 1 && Buffer.from(text, 'utf8').equals(bytes)
}

describe('visible text', () => {
  it.each(vectors)('$name', ({ bytes, shown }) => {
    expect(visibleText(decoded(bytes))).toBe(shown)
    expect(visibleText(shown)).toBe(shown)
  })

  it('keeps the lines and tabs of a longer text', () => {
    expect(visibleLines('a\tb\r\nc\u202e\rd\n\n')).toBe('a\tb\r\nc\\u{202e}\\u{d}d\n\n')
  })

  it('escapes a lone surrogate that represents no byte', () => {
    expect(visibleText('a\ud800b')).toBe('a\\u{d800}b')
  })
})
