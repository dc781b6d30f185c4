/** Progress on the window's entry in the taskbar or Dock, with the number of transfers. */
import type { App, BrowserWindow } from 'electron'
import type { Activity } from './activity'

export type TaskbarView = {
  /** Progress from 0 to 1 in steps of a percent; -1 for none. */
  readonly progress: number
  readonly mode: 'normal' | 'paused' | 'error'
  /** The number of transfers; 0 for none. */
  readonly badge: number
}

/** The taskbar's view of an activity. */
export function taskbarView(activity: Activity): TaskbarView {
  const { moving, still, waitingForSpace, bytes, totalBytes } = activity
  if (moving + still === 0) return { progress: -1, mode: 'normal', badge: 0 }
  return {
    progress:
      totalBytes === 0 ? 0 : Math.floor((100 * Math.min(bytes, totalBytes)) / totalBytes) / 100,
    mode: moving > 0 ? 'normal' : waitingForSpace > 0 ? 'error' : 'paused',
    badge: moving + still,
  }
}

/** Shows views that differ from the last one on the same window. */
export class Taskbar {
  readonly #app: Pick<App, 'setBadgeCount'>
  #shown: { readonly view: TaskbarView; readonly on: unknown } = {
    view: { progress: -1, mode: 'normal', badge: 0 },
    on: null,
  }

  constructor(app: Pick<App, 'setBadgeCount'>) {
    this.#app = app
  }

  show(view: TaskbarView, window: Pick<BrowserWindow, 'setProgressBar'> | null): void {
    const { view: before, on } = this.#shown
    if (view.badge !== before.badge) this.#app.setBadgeCount(view.badge)
    const isSame = on === window && view.progress === before.progress && view.mode === before.mode
    if (!isSame) window?.setProgressBar(view.progress, { mode: view.mode })
    this.#shown = { view, on: window }
  }
}
