import { join } from 'node:path'
import { iconFolder } from '../../scripts/package/icons.mjs'

/** Configuration for Windows; scripts/package/windows makes every package from the app's folder. */
export const windows = { target: ['dir'], icon: join(iconFolder, 'icon.ico') }
