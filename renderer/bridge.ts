/** The only file that accesses the preload's interface on `window`. */
import type { Api } from '#shared/ipc'

declare global {
  interface Window {
    readonly thru: Api<File>
  }
}

export const bridge: Api<File> = window.thru
