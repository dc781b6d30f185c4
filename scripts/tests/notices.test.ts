import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../lib/cache.mjs'
import { nativeWorks, noticesOf, objection, withoutNotice } from '../lib/notices.mjs'

const work = { name: 'a 1.0', license: 'MIT', linked: 'bundled', texts: ['Text'] } as const

describe('a work of others', () => {
  it('may be in the product with a known license and its text', () => {
    expect(objection({ ...work, texts: ['Text'] })).toBeUndefined()
    expect(objection({ ...work, texts: [] })).toBe('a 1.0 has no license text')
    expect(objection({ ...work, license: 'GPL-3.0-only', texts: ['Text'] })).toContain('GPL-3.0')
    expect(objection({ ...work, license: 'MIT OR GPL-2.0', texts: ['Text'] })).toContain(
      'not allowed',
    )
  })

  it('under the LGPL may only be a shared library, or part of a separate program', () => {
    const lgpl = { ...work, license: 'LGPL-2.1-or-later', texts: ['Text'] }
    expect(objection({ ...lgpl, linked: 'shared' })).toBeUndefined()
    expect(objection({ ...lgpl, linked: 'program' })).toBeUndefined()
    expect(objection({ ...lgpl, linked: 'static' })).toContain('shared library')
    expect(objection({ ...lgpl, linked: 'bundled' })).toContain('shared library')
  })
})

describe('native libraries', () => {
  it('all have a license that may be in the product, and its text', () => {
    expect(nativeWorks().map(objection)).toEqual(nativeWorks().map(() => undefined))
  })

  it('include what compilers for other systems link into everything', () => {
    const names = nativeWorks().map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['LLVM libc++ and compiler-rt', 'mingw-w64 runtime', 'winpthreads'],
      ]),
    )
  })

  it('are recognized by their file names on every system', () => {
    const files = [
      ...[
        'libnice.so.10',
        'libglib-2.0.so.0',
        'libgio-2.0.so.0.8400.4',
        'libz.so.1',
        'thruflux.node',
      ],
      ...['libglib-2.0-0.dll', 'libnice-10.dll', 'libgobject-2.0.0.dylib', 'libnice.10.dylib'],
      ...['libpcre2-8.so.0', 'libpcre2-8-0.dll', 'libffi-8.dll', 'zlib1.dll'],
    ]
    expect(withoutNotice(files)).toEqual([])
    expect(withoutNotice(['libgnutls.so.30'])).toEqual(['libgnutls.so.30'])
  })
})

describe('the notices', () => {
  it('list every work once, and each text with its works', () => {
    const other = { ...work, name: 'B 2', copyright: 'Copyright B', texts: ['Text\r\n', 'More'] }
    const text = noticesOf([other, { ...work, texts: ['Text'] }])
    expect(text).toContain('a 1.0: MIT\nB 2: MIT\n    Copyright B\n')
    expect(text.match(/^Text$/gm)).toHaveLength(1)
    expect(text).toMatch(/=\na 1\.0\nB 2\n=+\n\nText\n/)
  })

  it('have common licenses in full, and say how libraries under the LGPL are replaced', () => {
    const text = noticesOf(nativeWorks())
    expect(text).toContain('out/native')
    for (const title of [
      'GNU LESSER GENERAL PUBLIC LICENSE',
      'Apache License',
      'CC0 1.0 Universal',
    ])
      expect(text).toContain(title)
    expect(text).toContain('native/deps.json')
    expect(noticesOf([work as never])).not.toContain('LGPL')
    expect(existsSync(join(root, 'native/deps.json'))).toBe(true)
  })
})
