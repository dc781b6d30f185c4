/** The only file that touches what the preload put on `window`. */
import type { Api } from '#shared/ipc'

declare global {
  interface Window {
    readonly thru: Api<File>
  }
}

export const bridge: Api<File> = window.thru
