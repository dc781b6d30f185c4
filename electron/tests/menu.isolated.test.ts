import type { MenuItemConstructorOptions } from 'electron'
import { expect, it, vi } from 'vitest'

vi.mock('electron', () => ({ Menu: {} }))

const { menusOf } = await import('../main/menu')

const actions = { act: vi.fn(), quit: vi.fn(), showLicenses: vi.fn(), copyReport: vi.fn() }

const itemsOf = (platform: NodeJS.Platform): readonly MenuItemConstructorOptions[] =>
  menusOf(platform, actions).flatMap(
    ({ submenu }) => (submenu ?? []) as MenuItemConstructorOptions[],
  )

it.each(['linux', 'win32', 'darwin'] as const)(
  'every menu of %s has each item once',
  (platform) => {
    const items = itemsOf(platform)
    const labels = items.flatMap(({ label }) => label ?? [])
    expect(new Set(labels).size).toBe(labels.length)
    expect(labels).toEqual(
      expect.arrayContaining(['About Thruflux', 'Licenses', 'Quit Thruflux', 'Close window']),
    )
  },
)

it('passes actions with a shortcut to the page, and shows the shortcut', () => {
  const item = itemsOf('linux').find(({ id }) => id === 'chooseFolder')
  expect(item).toMatchObject({ accelerator: 'CmdOrCtrl+Shift+O', registerAccelerator: false })
  item?.click?.({} as never, undefined, {})
  expect(actions.act).toHaveBeenCalledExactlyOnceWith('chooseFolder')
})

it('no menu reloads the page or opens developer tools', () => {
  const roles = itemsOf('darwin').map(({ role }) => role)
  expect(roles).not.toContain('reload')
  expect(roles).not.toContain('toggleDevTools')
})
