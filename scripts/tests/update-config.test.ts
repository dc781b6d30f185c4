import { expect, it } from 'vitest'
import { builderConfig } from '../../build/electron-builder.mjs'

it.each(['linux', 'win32', 'darwin'] as const)(
  'UPD-05: packages for %s have no app-update.yml, since only the signed feed is used',
  (platform) => {
    const config = builderConfig({
      ...{ platform, runtime: { version: '22.3.25' }, app: '/app', output: '/out' },
    }) as Record<string, unknown>
    // electron-builder writes that file if `publish` is set.
    expect(config['publish']).toBeNull()
  },
)
