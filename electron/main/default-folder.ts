import { join } from 'node:path'

/** The folder for received files unless the settings name another: `Thruflux` in the folder for downloads. */
export const defaultFolder = (downloads: string, home: string): string =>
  // Electron returns the home folder if the account has none for downloads.
  join(downloads === home ? join(home, 'Downloads') : downloads, 'Thruflux')
