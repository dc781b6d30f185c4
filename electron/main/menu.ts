/** The native menus: in the menu bar of macOS, elsewhere shown with Alt. */
import { Menu, type MenuItemConstructorOptions } from 'electron'
import { keyOf, type PageShortcut, type ShortcutId } from '#shared/shortcuts'
import { text } from './text'

export type MenuActions = {
  /** Performs a shortcut's action in the window. */
  readonly act: (id: PageShortcut) => void
  readonly quit: () => void
  readonly showLicenses: () => void
  readonly copyReport: () => void
}

const accelerator = (id: ShortcutId): string => keyOf(id).replace('Mod', 'CmdOrCtrl')

/** A platform's menus from left to right. */
export function menusOf(
  platform: NodeJS.Platform,
  { act, quit, showLicenses, copyReport }: MenuActions,
): MenuItemConstructorOptions[] {
  const onMac = platform === 'darwin'
  // The page handles its own keys; the menu only shows them.
  const item = (id: PageShortcut, label: string): MenuItemConstructorOptions => ({
    id,
    label,
    accelerator: accelerator(id),
    registerAccelerator: false,
    click: () => act(id),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const about: MenuItemConstructorOptions = { role: 'about', label: text.menu.about }
  const quitItem: MenuItemConstructorOptions = {
    id: 'quit',
    label: text.tray.quit,
    accelerator: accelerator('quit'),
    click: quit,
  }
  const app: MenuItemConstructorOptions = {
    label: 'Thruflux',
    submenu: [
      about,
      separator,
      { role: 'services' },
      separator,
      ...([{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }] as const),
      separator,
      quitItem,
    ],
  }
  const file: MenuItemConstructorOptions = {
    label: text.menu.file,
    submenu: [
      item('chooseFiles', text.tray.shareFiles),
      item('chooseFolder', text.menu.shareFolder),
      item('codeField', text.menu.enterCode),
      separator,
      { role: 'close', label: text.menu.closeWindow, accelerator: accelerator('closeWindow') },
      ...(onMac ? [] : [quitItem]),
    ],
  }
  const view: MenuItemConstructorOptions = {
    label: text.menu.view,
    submenu: [
      ...([{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] as const),
      separator,
      { role: 'togglefullscreen' },
    ],
  }
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: text.menu.help,
    submenu: [
      item('shortcuts', text.menu.shortcuts),
      { id: 'report', label: text.menu.copyReport, click: copyReport },
      { id: 'licenses', label: text.menu.licenses, click: showLicenses },
      ...(onMac ? [] : [separator, about]),
    ],
  }
  return [
    ...(onMac ? [app] : []),
    file,
    { role: 'editMenu', label: text.menu.edit },
    view,
    { role: 'windowMenu', label: text.menu.window },
    help,
  ]
}

/** Sets the app's menus. */
export function setMenu(platform: NodeJS.Platform, actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menusOf(platform, actions)))
}
