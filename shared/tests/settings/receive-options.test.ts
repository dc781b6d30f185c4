import { expect, it } from 'vitest'
import { isPattern } from '#shared/settings/receive-options'

it.each([
  ...(['a', '*.jpg', '[abc]', '[!a]', '[]]', '[^]a]', '[a-z0-9]*', String.raw`\[x`] as const),
  ...([String.raw`[\]]`, String.raw`x\ `, 'a]', '[[]', '[!!]'] as const),
])('understands the pattern %s', (pattern) => {
  expect(isPattern(pattern)).toBe(true)
})

it.each(['[', 'f[1-3', '[]', '[!]', '[^', String.raw`[a\]`, 'x[y][z'])(
  'understands no pattern %s',
  (pattern) => {
    expect(isPattern(pattern)).toBe(false)
  },
)
