/** The tray icon: a short status of all transfers, and a few actions. */
import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron'
import { text } from '../text'
import type { Activity } from './activity'

export type TrayActions = {
  readonly open: () => void
  readonly shareFiles: () => void
  readonly pauseAll: (paused: boolean) => void
  readonly quit: () => void
}

export type TrayView = {
  readonly status: string
  /** The effect of the pause item; `null` if there is nothing to pause or to resume. */
  readonly pause: 'pause' | 'resume' | null
}

/** The icon's view of an activity; `can` tells if there is something to pause or to resume. */
export function trayView(
  { moving, still, upload, download }: Activity,
  can: { readonly pause: boolean; readonly resume: boolean },
): TrayView {
  const rates = { upload: Math.round(upload), download: Math.round(download) }
  return {
    status:
      moving > 0
        ? text.tray.moving({ count: moving, ...rates })
        : still > 0
          ? text.tray.still(still)
          : text.tray.idle,
    pause: can.pause ? 'pause' : can.resume ? 'resume' : null,
  }
}

/** The tray icon in the style of this platform; `dispose` removes it. */
export class TrayIcon {
  readonly #tray: Tray
  readonly #icons: string
  readonly #actions: TrayActions
  #shown: TrayView | null = null

  constructor(icons: string, actions: TrayActions) {
    this.#icons = icons
    this.#actions = actions
    this.#tray = new Tray(this.#drawing())
    this.#tray.on('click', actions.open)
    nativeTheme.on('updated', this.#redraw)
  }

  /** Shows a view if it has changed: some trays close an open menu with each update. */
  show(view: TrayView): void {
    const before = this.#shown
    this.#shown = view
    if (before?.status === view.status && before.pause === view.pause) return
    this.#tray.setToolTip(text.tray.tooltip(view.status))
    this.#tray.setContextMenu(Menu.buildFromTemplate(menuOf(view, this.#actions)))
  }

  /** Makes the next `show` update the icon in any case. */
  forget(): void {
    this.#shown = null
  }

  dispose(): void {
    nativeTheme.removeListener('updated', this.#redraw)
    this.#tray.destroy()
  }

  readonly #redraw = (): void => this.#tray.setImage(this.#drawing())

  /** macOS colors a template itself; elsewhere the icon must contrast with the panel. */
  #drawing(): string {
    if (process.platform === 'darwin') return join(this.#icons, 'Template.png')
    return join(this.#icons, nativeTheme.shouldUseDarkColors ? 'on-dark.png' : 'on-light.png')
  }
}

/** The menu's items from top to bottom. */
export function menuOf({ status, pause }: TrayView, actions: TrayActions) {
  const items: MenuItemConstructorOptions[] = [
    { label: status, enabled: false },
    { type: 'separator' },
    { label: text.tray.open, click: actions.open },
    { label: text.tray.shareFiles, click: actions.shareFiles },
    {
      label: pause === 'resume' ? text.tray.resumeAll : text.tray.pauseAll,
      enabled: pause !== null,
      click: () => actions.pauseAll(pause === 'pause'),
    },
    { type: 'separator' },
    { label: text.tray.quit, click: actions.quit },
  ]
  return items
}
