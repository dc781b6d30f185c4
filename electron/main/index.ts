/**
 * The start of the desktop app: the only file that reads the command line and the environment. The window opens first;
 * the client is assembled while other processes load the window's page.
 */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { app, clipboard, Menu, nativeTheme, type Session, session } from 'electron'
import * as z from 'zod'
import { readNotices } from '#client/notices'
import { configName, configPath } from '#client/settings/config-path'
import { SettingsFile } from '#client/settings/settings-file'
import { SettingsStore } from '#client/settings/settings-store'
import { appImageOf, packageTypeIn } from '#client/update/packaging'
import { ok } from '#shared/result'
import type { Settings } from '#shared/settings/settings'
import { registerAppScheme, serveAppScheme } from './app-scheme'
import type { Beginnings } from './compose'
import { nameApp } from './desktop/app-id'
import { registerLinks, staysInPlace } from './desktop/link-handler'
import { wasStartedAtLogin } from './desktop/login-start'
import { restartArguments, watchFatalErrors } from './fatal-errors'
import { JoinLinks, ownLinks } from './join-links'
import { wantedLanguage } from './language'
import { OpenedFiles, ownFiles } from './opened-files'
import { PageRequests } from './page-requests'
import { Report } from './report'
import { denyByDefault, denyPermissions } from './security'
import { readSwitches, type Switches } from './switches'
import { loadText } from './text'
import { openWindow, raiseWindow, sendToPage, type WindowFiles } from './window'
import { WindowNotes } from './window-notes'

// Most decoders run only a few times, and compiling one takes longer.
z.config({ jitless: true })
const switches = readSwitches(process.argv)
const serverPassword = process.env['THRU_SERVER_PASSWORD']
// Hides the password from child processes.
delete process.env['THRU_SERVER_PASSWORD']
if (switches.userData !== null) app.setPath('userData', switches.userData)
nameApp(app)
// Prevents Electron's default menu; ours follows with the client.
Menu.setApplicationMenu(null)
registerAppScheme()
denyByDefault(app)

const requests = new PageRequests(() => sendToPage('request'))
const report = new Report(() => Date.now())
watchFatalErrors(app, report)

/** Each profile has its own file. */
function openSettings(): SettingsStore {
  const { userData } = switches
  const settings = new SettingsStore(
    new SettingsFile(userData === null ? configPath() : join(userData, configName)),
  )
  settings.watch()
  return settings
}

const languageFor = (chosen: Settings['appearance']['language']) =>
  wantedLanguage({
    asked: switches.language,
    chosen,
    preferred: app.getPreferredSystemLanguages(),
  })

async function start(): Promise<void> {
  const settings = openSettings()
  await loadText(languageFor(settings.settings.appearance.language))
  followTheme(settings)
  const notes = new WindowNotes(app.getPath('userData'))
  const isHidden = switches.isHidden || wasStartedAtLogin(app)
  const opened = openWindow(preparePage(), pageFiles(), { notes, isHidden })
  const { compose } = await import('./compose')
  await compose({
    switches,
    settings,
    notes,
    opened,
    isHidden,
    requests,
    links,
    openedFiles,
    report,
    copyReport,
    programHandlers,
    languageFor,
    addon: process.env['THRU_ADDON'],
    serverUrl: process.env['THRU_SERVER_URL'],
    serverPassword,
    command: startCommand(),
  })
}

/** Applies the setting for the theme to the system's parts of the window, and to the page. */
function followTheme(settings: SettingsStore): void {
  const apply = ({ appearance }: Settings): void => {
    nativeTheme.themeSource = appearance.theme
  }
  apply(settings.settings)
  settings.subscribe(apply)
}

function copyReport(): void {
  const { electron, chrome, node } = process.versions
  void clipboard.writeText(report.text({ app: app.getVersion(), electron, chrome, node }))
}

/** The page's session is kept only in memory: the page stores nothing. */
function preparePage(): Session {
  const pageSession = session.fromPartition('thruflux')
  denyPermissions(pageSession)
  serveAppScheme(pageSession, join(__dirname, '../renderer'))
  return pageSession
}

const pageFiles = (): WindowFiles => ({
  preload: join(__dirname, 'preload.cjs'),
  icon: join(app.getAppPath(), 'resources/icons/icon.png'),
})

const programHandlers: Beginnings['programHandlers'] = {
  restart: () => {
    if (serverPassword !== undefined) process.env['THRU_SERVER_PASSWORD'] = serverPassword
    app.relaunch({ args: restartArguments(process.argv, !app.isPackaged) })
    app.quit()
    return ok(null)
  },
  takeRequests: () => ok(requests.take()),
  copyReport: () => {
    copyReport()
    return ok(null)
  },
  readNotices: () => readNotices(__dirname),
}

/** The AppImage that contains this app, or `null`. */
const appImage = (): string | null =>
  appImageOf({
    env: process.env,
    program: process.execPath,
    packageType: packageTypeIn(process.resourcesPath),
  })

/** The command that starts this app again, without the options of this start. */
function startCommand(): readonly string[] {
  const program = appImage() ?? process.execPath
  if (app.isPackaged) return [program]
  const asRoot = app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []
  return [program, ...asRoot, app.getAppPath()]
}

/** Collects the window's first actions from this start and later ones. */
function ownActs(): void {
  const take = ({ act }: Switches): void => {
    if (act !== null) requests.push({ act })
  }
  take(switches)
  app.on('second-instance', (_event, argv) => take(readSwitches(argv)))
}

const openedFiles = new OpenedFiles()

const links = new JoinLinks(
  () => sendToPage('link'),
  () => performance.now(),
)
if (ownLinks(app, process.argv, links, raiseWindow)) {
  const takesLinks = switches.registerLinks || (app.isPackaged && staysInPlace(process))
  if (takesLinks) registerLinks(app, startCommand())
  const first = { argv: process.argv, directory: process.cwd(), isDevelopment: !app.isPackaged }
  ownFiles(app, first, openedFiles, (error) => requests.push({ notice: error }))
  ownActs()
  void app.whenReady().then(start)
} else {
  app.exit(0)
}
