import { describe, expect, it } from 'vitest'
import { isSafeLink, maxLinkLength, maxLinks, partsOf } from '#shared/format/text-links'

const linksIn = (text: string) => partsOf(text).flatMap((part) => (part.isLink ? [part.text] : []))

describe('links in a text', () => {
  it('end before the punctuation of their sentence', () => {
    expect(linksIn('See https://a.example/b?c=1#d, or (http://b.example/x).')).toEqual([
      'https://a.example/b?c=1#d',
      'http://b.example/x',
    ])
    expect(linksIn('https://a.example/wiki/Fox_(film)')).toEqual([
      'https://a.example/wiki/Fox_(film)',
    ])
  })

  it('leave every character of the text where it is', () => {
    const text = 'one https://a.example two\nhttps://b.example!\n'
    expect(
      partsOf(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
    expect(partsOf('')).toEqual([])
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'thruflux:join#4821-apple-river-stone',
    'smb://host/share',
    'https://',
    'https://bank.example@evil.example/',
    'https://a.example/\u202egpj.exe',
    `https://a.example/${'x'.repeat(maxLinkLength)}`,
  ])('are nothing like %s', (text) => {
    expect(isSafeLink(text)).toBe(false)
    expect(linksIn(text)).not.toContain(text)
  })

  it('are limited in number', () => {
    expect(linksIn('https://a.example '.repeat(maxLinks + 1))).toHaveLength(maxLinks)
  })
})
