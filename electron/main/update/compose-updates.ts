/** Assembles the app's updates for this process. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { BaseUpdater } from 'electron-updater'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor'
import type { Client } from '#client/client'
import { systemClock } from '#client/clock'
import { stateDirectory } from '#client/state/state-directory'
import { readFeedSource } from '#client/update/feed-source'
import { appImageOf, packageTypeIn, packagingOf, type Surroundings } from '#client/update/packaging'
import { UpdateStore } from '#client/update/update-store'
import changelog from '../../../CHANGELOG.md?raw'
import { restartArguments } from '../fatal-errors'
import type { PageRequests } from '../page-requests'
import type { Switches } from '../switches'
import { AppUpdates } from './app-updates'
import { installAppImage } from './appimage-installer'
import { type Install, installOnMac, installOnWindows } from './installer'
import type { Updater } from './updater'

const relaunch = (program: string): void =>
  app.relaunch({ execPath: program, args: restartArguments(process.argv, false) })

const surroundings = (): Surroundings => ({
  platform: process.platform,
  isPackaged: app.isPackaged,
  env: process.env,
  program: process.execPath,
  packageType: packageTypeIn(process.resourcesPath),
  hasUninstaller: existsSync(join(process.execPath, '../Uninstall.exe')),
})

function installFor({ library }: Updater): Install {
  const appImage = appImageOf(surroundings())
  if (appImage !== null) return installAppImage(appImage, relaunch)
  return process.platform === 'darwin'
    ? installOnMac(library)
    : installOnWindows(library as BaseUpdater)
}

/** Makes the updates for a client. */
export function composeUpdates(
  client: Client,
  { userData }: Switches,
  requests: PageRequests,
): AppUpdates {
  // Each profile has its own updates, but the installed program is the same.
  const directory = userData ?? stateDirectory()
  return new AppUpdates({
    client,
    changelog,
    installFor,
    clock: systemClock,
    random: Math.random,
    store: new UpdateStore({ directory }),
    packaging: packagingOf(surroundings()),
    source: readFeedSource(join(app.getAppPath(), 'resources')),
    executor: () => new ElectronHttpExecutor(),
    directory: join(directory, 'updates'),
    version: app.getVersion(),
    mayLook: !process.env['THRU_NO_UPDATE_CHECK'],
    quit: () => app.quit(),
    tellUpdated: (version) => requests.push({ updated: version }),
  })
}
