import { expect, it } from 'vitest'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import {
  receiveOptionsOf,
  requestOptionsOf,
  shareOptionsOf,
} from '#shared/settings/settings-defaults'
import { defaultShareOptions } from '#shared/settings/share-options'

it('default settings are the default options of shares and receives', () => {
  expect(shareOptionsOf(defaultSettings.sharing)).toEqual(defaultShareOptions)
  expect(receiveOptionsOf(defaultSettings.receiving)).toEqual(defaultReceiveOptions)
})

it('new shares and receives start with the settings', () => {
  const { sharing, receiving } = defaultSettings
  expect(shareOptionsOf({ ...sharing, codeLife: '10min' })).toMatchObject({ codeLifeMs: 600_000 })
  expect(receiveOptionsOf({ ...receiving, conflicts: 'skip' })).toMatchObject({ conflict: 'skip' })
})

it('a request takes the settings about codes', () => {
  const sharing = { ...defaultSettings.sharing, browsers: false, codeLife: '1h' } as const
  expect(requestOptionsOf(sharing)).toEqual({ browsers: false, codeLifeMs: 3_600_000 })
})
