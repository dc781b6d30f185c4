import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { appId, nameApp } from '../main/desktop/app-id'

const product = JSON.parse(
  readFileSync(new URL('../../build/product.json', import.meta.url), 'utf8'),
) as { readonly id: string }

it('is set on Windows as in the shortcut of the installer', () => {
  const setAppUserModelId = vi.fn()
  nameApp({ isPackaged: true, setAppUserModelId }, 'win32')
  expect(setAppUserModelId.mock.calls).toEqual([[product.id]])
  expect(appId).toBe(product.id)
})

it.each([
  ['another system', true, 'linux'],
  ['a checkout', false, 'win32'],
] as const)('keeps the name of Electron on %s', (_, isPackaged, platform) => {
  const setAppUserModelId = vi.fn()
  nameApp({ isPackaged, setAppUserModelId }, platform)
  expect(setAppUserModelId).not.toHaveBeenCalled()
})
