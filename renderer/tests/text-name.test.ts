import { expect, it } from 'vitest'
import { textName } from '../text-name'

it.each([
  ['Hello there\nand more', 'Hello there'],
  ['  https://example.org/a?b  ', 'https example org a b'],
  ['사라 안녕', '사라 안녕'],
  ['../../etc', 'etc'],
  ['?!', ''],
  ['x'.repeat(60), 'x'.repeat(40)],
])('%j is called %j', (words, name) => {
  expect(textName(words)).toBe(name)
})
