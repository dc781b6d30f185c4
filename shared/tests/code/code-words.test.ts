import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isCodeWord, nearestWords, wordThatBegins } from '#shared/code/code-words'

const list = readFileSync(new URL('../../../resources/wordlist.txt', import.meta.url), 'utf8')
const words = list.trim().split('\n')

describe('the words of join codes', () => {
  it('are 1,295, all accepted, with unique first three letters', () => {
    expect(words).toHaveLength(1295)
    expect(words.filter((word) => !isCodeWord(word))).toEqual([])
    expect(new Set(words.map((word) => word.slice(0, 3))).size).toBe(1295)
  })

  it('are whole words, in lower case', () => {
    for (const text of ['', 'app', 'appl', 'apples', 'Apple', 'stone', '__proto__']) {
      expect(isCodeWord(text), text).toBe(false)
    }
  })

  it('are completed after three letters, unless no word begins with these', () => {
    expect(wordThatBegins('ap')).toBeNull()
    expect(wordThatBegins('app')).toBe('apple')
    expect(wordThatBegins('apple')).toBe('apple')
    expect(wordThatBegins('appx')).toBeNull()
    for (const word of words) expect(wordThatBegins(word.slice(0, 3))).toBe(word)
  })
})

describe('CODE-03 nearestWords', () => {
  it.each([
    ['a letter left out', 'aple', 'apple'],
    ['a letter too many', 'oniion', 'onion'],
    ['another letter', 'kayek', 'kayak'],
    ['two letters exchanged', 'pupyp', 'puppy'],
    ['a wrong end', 'riverbank', 'riverboat'],
    ['a wrong beginning', 'tayak', 'kayak'],
  ])('finds a word with %s first', (_what, typed, meant) => {
    expect(nearestWords(typed)[0]).toBe(meant)
  })

  it('finds each word despite any single slip in it', () => {
    for (const word of words.filter((word, index) => index % 40 === 0 && word.length > 5)) {
      for (let at = 0; at < word.length; at += 1) {
        const slip = word.slice(0, at) + word.slice(at + 1)
        if (!isCodeWord(slip)) expect(nearestWords(slip), slip).toContain(word)
      }
    }
  })

  it('names at most three, and none if no word is close', () => {
    for (const typed of ['stone', 'maple', 'cat']) {
      expect(nearestWords(typed).length).toBeLessThanOrEqual(3)
    }
    expect(nearestWords('qqqqq')).toEqual([])
    expect(nearestWords('q'.repeat(1_000_000))).toEqual([])
  })
})
