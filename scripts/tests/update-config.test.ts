import { expect, it } from 'vitest'
import { builderConfig } from '../../build/electron-builder.mjs'

it.each(['linux', 'win32', 'darwin'] as const)(
  'UPD-05: packages for %s have no app-update.yml: no feed counts but the signed one',
  (platform) => {
    const config = builderConfig({
      ...{ platform, runtime: { version: '22.3.25' }, app: '/app', output: '/out' },
    }) as Record<string, unknown>
    // electron-builder writes that file for what is to be published.
    expect(config['publish']).toBeNull()
  },
)
