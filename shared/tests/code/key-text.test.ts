import { expect, it } from 'vitest'
import { keySchema } from '#shared/code/key-text'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

it('accepts keys in their normal form, and no other text for the same bytes', () => {
  for (const last of alphabet) {
    const text = `${'A'.repeat(42)}${last}`
    const isWritten = Buffer.from(text, 'base64url').toString('base64url') === text
    expect(keySchema.safeParse(text).success, last).toBe(isWritten)
  }
})

it.each(['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(41)}+A`, `${'A'.repeat(43)}\n`])(
  'refuses %j',
  (text) => {
    expect(keySchema.safeParse(text).success).toBe(false)
  },
)
