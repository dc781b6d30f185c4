import { expect, it } from 'vitest'
import {
  isOfNewerVersion,
  readSettingsCopy,
  settingsCopyText,
} from '#client/settings/settings-copy-file'
import { describeError } from '#shared/describe-error'

const bytes = (text: string) => new TextEncoder().encode(text)

it('a copy returns its content', () => {
  const document = { receiving: { conflicts: 'skip' }, sharing: { exclude: ['*.tmp'] } }
  expect(readSettingsCopy(bytes(settingsCopyText(document)), 'a.toml')).toEqual({
    ok: true,
    value: document,
  })
})

it.each([
  ['no TOML', bytes('theme = dark'), 'line 1'],
  ['far too large', bytes('#'.repeat(70_000)), 'too large'],
  ['of no version that counts', bytes('version = "new"'), 'version'],
  ['binary', Buffer.from([0xff, 0xfe, 0]), 'UTF-8'],
])('a file that is %s is refused with the reason', (_what, content, why) => {
  const read = readSettingsCopy(content, 'a.toml')
  if (read.ok) throw new Error('it was read')
  const { what, remedy } = describeError(read.error)
  expect(what).toContain('a.toml')
  expect(what).toContain(why)
  expect(remedy).toBe('Choose another file.')
})

it('a file of a newer version is neither read nor replaced', () => {
  const newer = bytes('version = 2\ngeneral.name = "x"')
  expect(readSettingsCopy(newer, 'a.toml')).toMatchObject({ ok: false })
  expect(isOfNewerVersion(newer)).toBe(true)
  expect(isOfNewerVersion(bytes('version = 1'))).toBe(false)
  expect(isOfNewerVersion(bytes('no settings at all'))).toBe(false)
})
