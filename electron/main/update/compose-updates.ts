/** Puts the app's updates together from what this process knows of itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app, autoUpdater, dialog } from 'electron'
import type { Client } from '#client/client'
import { systemClock } from '#client/clock'
import { stateDirectory } from '#client/state/state-directory'
import { readFeed } from '#client/update/feed'
import {
  appImageOf,
  packageTypeIn,
  type Packaging,
  packagingOf,
  type Surroundings,
} from '#client/update/packaging'
import { beginStart } from '#client/update/trial'
import { UpdateNotes } from '#client/update/update-note'
import changelog from '../../../CHANGELOG.md?raw'
import type { PageRequests } from '../page-requests'
import type { Switches } from '../switches'
import { text } from '../text'
import { restartArguments } from '../trouble'
import { AppUpdates } from './app-updates'
import { AppImageInstaller, type Installer } from './installer'
import { MacInstaller } from './mac-installer'
import { WindowsInstaller } from './windows-installer'

/** Each profile has updates of its own; what is installed is the same. */
const directoryOf = ({ userData }: Switches): string => userData ?? stateDirectory()

const relaunch = (program: string): void => {
  app.relaunch({ execPath: program, args: restartArguments(process.argv, false) })
}

function appImageInstaller(switches: Switches, notes: UpdateNotes): AppImageInstaller {
  const now = (): number => Date.now()
  return new AppImageInstaller({
    ...{ appImage: appImageOf(surroundings()) ?? '', notes, now, relaunch },
    directory: join(directoryOf(switches), 'updates'),
    version: app.getVersion(),
  })
}

const surroundings = (): Surroundings => ({
  platform: process.platform,
  isPackaged: app.isPackaged,
  env: process.env,
  program: process.execPath,
  packageType: packageTypeIn(process.resourcesPath),
  hasUninstaller: existsSync(join(process.execPath, '../Uninstall.exe')),
})

const packaging = (): Packaging => packagingOf(surroundings())

/**
 * Before anything of a new version that may fail. True: the person goes back to the previous one, which
 * starts when this process has ended.
 */
export async function goesBack(switches: Switches): Promise<boolean> {
  if (packaging().kind !== 'appimage') return false
  const notes = new UpdateNotes({ directory: directoryOf(switches) })
  const start = await beginStart(notes, app.getVersion(), Date.now())
  if (start.kind === 'usual') return false
  const { fails, failsAbout, goBack, tryAgain } = text.updates
  const chosen = dialog.showMessageBoxSync({
    type: 'warning',
    message: fails(app.getVersion()),
    detail: failsAbout(start.previous.version),
    buttons: [goBack(start.previous.version), tryAgain],
    defaultId: 0,
    cancelId: 1,
  })
  if (chosen !== 0) return false
  const done = await appImageInstaller(switches, notes).goBack(start.previous)
  if (!done.ok) console.error('the previous version could not be put back:', done.error)
  return done.ok
}

function installerFor(
  { kind }: Packaging,
  switches: Switches,
  notes: UpdateNotes,
): Installer | null {
  const directory = join(directoryOf(switches), 'updates')
  switch (kind) {
    case null:
      return null
    case 'nsis':
      return new WindowsInstaller(directory)
    case 'mac-zip':
      return new MacInstaller(directory, autoUpdater, systemClock)
    case 'appimage': {
      const installer = appImageInstaller(switches, notes)
      void installer.tidy()
      return installer
    }
  }
}

/** The updates of an app whose client is there. */
export function composeUpdates(
  client: Client,
  switches: Switches,
  requests: PageRequests,
): AppUpdates {
  const own = packaging()
  const directory = directoryOf(switches)
  const notes = new UpdateNotes({ directory })
  return new AppUpdates({
    ...{ client, notes, changelog, packaging: own, clock: systemClock },
    installer: installerFor(own, switches, notes),
    feed: readFeed(join(app.getAppPath(), 'resources')),
    directory: join(directory, 'updates'),
    version: app.getVersion(),
    mayLook: !process.env['THRU_NO_UPDATE_CHECK'],
    random: Math.random,
    quit: () => {
      app.quit()
    },
    tellUpdated: (version) => {
      requests.push({ updated: version })
    },
  })
}
