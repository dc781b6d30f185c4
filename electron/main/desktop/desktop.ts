/**
 * The app outside its window: tray, taskbar, staying awake, closing and quitting. All of it is derived from the state
 * after events.
 */
import { type App, type BrowserWindow, powerSaveBlocker } from 'electron'
import type { Client } from '#client/client'
import type { AppState, ReceiveId, ShareId } from '#shared/state/app-state'
import type { PageRequests } from '../page-requests'
import { mainWindow, raiseWindow } from '../window'
import type { WindowNotes } from '../window-notes'
import { activityOf, isEmpty, isLive, pausable } from './activity'
import { Awake } from './awake'
import { askToQuit, askWithoutTray, closingOf, explainTray } from './closing'
import { Notifier } from './notifier'
import { createPace } from './pace'
import { Taskbar, taskbarView } from './taskbar'
import { TrayIcon, trayView } from './tray'
import { hasTrayHost } from './tray-host'

export type DesktopParts = {
  readonly app: App
  readonly client: Pick<Client, 'snapshot' | 'subscribe'>
  readonly pauseShare: (share: ShareId, paused: boolean) => void
  readonly pauseReceive: (receive: ReceiveId, paused: boolean) => void
  readonly notes: WindowNotes
  readonly requests: Pick<PageRequests, 'push'>
  /** The app's only window. */
  readonly window: BrowserWindow
  /** The folder of the tray's icons. */
  readonly icons: string
  readonly shareFiles: () => void
}

/** Each process has one. */
export class Desktop {
  readonly #parts: DesktopParts
  readonly #taskbar: Taskbar
  readonly #awake = new Awake(powerSaveBlocker)
  readonly #tray: TrayIcon
  #isQuitting = false
  #isAsking = false

  constructor(parts: DesktopParts) {
    this.#parts = parts
    const { app, client } = parts
    this.#taskbar = new Taskbar(app)
    this.#tray = new TrayIcon(parts.icons, {
      open: raiseWindow,
      shareFiles: () => {
        raiseWindow()
        parts.shareFiles()
      },
      pauseAll: (paused) => this.pauseAll(paused),
      quit: () => void this.requestQuit(),
    })
    app.on('activate', raiseWindow)
    parts.window.on('close', (event) => {
      if (this.#isQuitting) return
      event.preventDefault()
      void this.#asking(() => this.#onClose(parts.window))
    })
    app.once('before-quit', () => {
      this.#isQuitting = true
      this.#awake.keep(false)
      this.#tray.dispose()
    })
    const notifier = new Notifier({
      state: this.#state,
      isWanted: (kind) => this.#state.settings.notifications[kind],
      isLooking: () => mainWindow()?.isFocused() ?? false,
      open: (about) => {
        raiseWindow()
        if (about !== null) parts.requests.push({ open: about })
      },
      nowMs: () => Date.now(),
    })
    const update = createPace(() => this.#update())
    client.subscribe((batch) => {
      notifier.onEvents(batch)
      update()
    })
    update()
  }

  /** Updates all texts after a change of language. */
  relabel(): void {
    this.#tray.forget()
    this.#update()
  }

  /** After a hidden start, shows an entry in the taskbar if no tray shows the icon. */
  async settle(window: Pick<BrowserWindow, 'isVisible' | 'minimize'>): Promise<void> {
    if (!(await hasTrayHost(process.platform)) && !window.isVisible()) window.minimize()
  }

  /** Pauses or resumes all of this side's shares and receives. */
  pauseAll(paused: boolean): void {
    const { pauseShare, pauseReceive } = this.#parts
    const { shares, receives } = pausable(this.#state, !paused)
    for (const share of shares) pauseShare(share, paused)
    for (const receive of receives) pauseReceive(receive, paused)
  }

  /** Quits on a person's request, after a question while data is in flight. */
  requestQuit(): Promise<void> {
    return this.#asking(() => this.#quit())
  }

  get #state(): AppState {
    return this.#parts.client.snapshot().state
  }

  /** True while figures change with time. */
  #update(): boolean {
    if (this.#isQuitting) return false
    const state = this.#state
    const activity = activityOf(state, Date.now())
    const can = { pause: !isEmpty(pausable(state, false)), resume: !isEmpty(pausable(state, true)) }
    this.#tray.show(trayView(activity, can))
    this.#taskbar.show(taskbarView(activity), mainWindow())
    this.#awake.keep(activity.moving > 0 && state.settings.general.keepAwake)
    return activity.moving > 0
  }

  /** Asks one question at a time, regardless of clicks. */
  async #asking(work: () => Promise<void>): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    await work().finally(() => {
      this.#isAsking = false
    })
  }

  async #onClose(window: Pick<BrowserWindow, 'hide' | 'minimize'>): Promise<void> {
    const { notes } = this.#parts
    const { closeToTray } = this.#state.settings.general
    const isNeeded = isNeededInBackground(this.#state)
    const { platform } = process
    const hasTray = closeToTray && isNeeded && (await hasTrayHost(platform))
    switch (closingOf({ platform, closeToTray, isNeeded, hasTray })) {
      case 'hide':
        if (platform !== 'darwin' && !notes.trayExplained) {
          notes.note({ trayExplained: true })
          if (!(await explainTray())) return this.#quit()
        }
        window.hide()
        break
      case 'ask': {
        const answer = await askWithoutTray()
        if (answer === 'minimize') window.minimize()
        if (answer === 'quit') return this.#quit()
        break
      }
      case 'quit':
        return this.#quit()
    }
  }

  async #quit(): Promise<void> {
    const { moving } = activityOf(this.#state, Date.now())
    const { resumeShares } = this.#state.settings.general
    if (moving === 0 || (await askToQuit(moving, resumeShares))) this.#parts.app.quit()
  }
}

/** True if something would end without the app: shares, receives, being reachable for contacts. */
const isNeededInBackground = (state: AppState): boolean =>
  isLive(state) || (state.contacts.length > 0 && state.reachability.phase !== 'off')
