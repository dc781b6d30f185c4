import { expect, it } from 'vitest'
import { readPaste } from '../view/pasted'

const file = { type: 'image/png', path: '/a.png' }
const image = { type: 'image/png', path: '' }
const read = (files: readonly (typeof file)[], words: string) =>
  readPaste(files, words, ({ path }) => path !== '')

const code = '4821-apple-kayak-onion'

it.each([
  code,
  ` ${code}\n`,
  `code: ${code}.`,
  '4821 Apple Kayak Onion',
  '4821-aple-kayak-onion',
  '4821-apple-kay\u200bak-onion',
  `thruflux:join?v=1&c=${code}`,
  `thruflux:join?v=1&c=${code}&accept=1`,
  `https://meet.example.org/join#c=${code}`,
])('%j is a code', (words) => {
  expect(read([], words)).toEqual({ kind: 'code', words: words.trim() })
})

it.each([
  'Park behind the house.',
  '  indented\n',
  'https://example.org/join',
  'a family: 👨‍👩‍👧',
  `${'x'.repeat(5000)} ${code}`,
])('%j is a text, as it is', (words) => {
  expect(read([], words)).toEqual({ kind: 'text', words })
})

it('only files of this computer are shared, not their names', () => {
  expect(read([image, file], '/a.png')).toEqual({ kind: 'files', files: [file] })
})

it('an image without a file counts only alone, not with a text', () => {
  expect(read([image], '')).toEqual({ kind: 'image', image })
  expect(read([image], 'A cell')).toEqual({ kind: 'text', words: 'A cell' })
})

it('an unusable paste is null', () => {
  expect(read([], ' \n')).toBeNull()
  expect(read([{ type: 'text/html', path: '' }], '')).toBeNull()
})
