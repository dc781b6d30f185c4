import { expect, it } from 'vitest'
import { SettingsInMemory } from '#client/settings/settings-store'
import { defaultSettings } from '#shared/settings'
import { Rig } from './rig'

const rig = new Rig()

it('a client starts with its settings, and follows them', async () => {
  const network = { ...defaultSettings.network, uploadLimit: 1000 }
  const settings = new SettingsInMemory({ ...defaultSettings, network })
  const { client, engine } = rig.station({ settings })
  expect(client.snapshot().state).toMatchObject({
    ...{ settings: { network }, speedLimits: { upload: 1000, download: 0 } },
  })
  await client.changeSettings({ network: { downloadLimit: 500 }, general: { name: 'Studio' } })
  expect(client.snapshot().state).toMatchObject({
    settings: { general: { name: 'Studio' } },
    speedLimits: { upload: 1000, download: 500 },
  })
  expect(engine.commands.filter(({ type }) => type === 'set-limits')).toEqual([
    { type: 'set-limits', upload: 1000, download: 0 },
    { type: 'set-limits', upload: 1000, download: 500 },
  ])
  await rig.end()
})

it('a limit for this run only is not a setting', async () => {
  const { client } = rig.station()
  client.setLimits({ upload: 7, download: 0 })
  await client.changeSettings({ general: { name: 'Studio' } })
  expect(client.snapshot().state).toMatchObject({
    ...{ settings: { network: { uploadLimit: 0 } }, speedLimits: { upload: 7 } },
  })
  await rig.end()
})
