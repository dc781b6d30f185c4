import { join } from 'node:path'
import { iconFolder } from '../../scripts/package/icons.mjs'

/** What only packages for Windows have: scripts/package/windows makes every package out of the app's folder. */
export const windows = { target: ['dir'], icon: join(iconFolder, 'icon.ico') }
