/** Handles failures of this program: reloads the window once, then reports the failure in it. */
import { type App, BrowserWindow } from 'electron'
import { isLinkOfOurs } from '#shared/code/join-link'
import type { Report } from './report'
import { acts } from './switches'
import { showFatalError } from './window'

/** Reasons for an intended end of the page's process. */
const wanted: ReadonlySet<string> = new Set(['clean-exit'])

/** Reloads a page that crashed or hangs, and reports bugs of this process. */
export function watchFatalErrors(app: App, report: Pick<Report, 'noteBug'>): void {
  let isReloaded = false
  app.on('render-process-gone', (_event, contents, { reason }) => {
    if (wanted.has(reason)) return
    report.noteBug('window', reason)
    const window = BrowserWindow.fromWebContents(contents)
    if (window === null) return
    if (isReloaded) void showFatalError(window, 'window')
    else contents.reload()
    isReloaded = true
  })
  app.on('browser-window-created', (_event, window) => {
    window.on('unresponsive', () => {
      report.noteBug('window', 'unresponsive')
      window.webContents.forcefullyCrashRenderer()
    })
  })
  let isShown = false
  process.on('uncaughtException', (error) => {
    console.error('bug in the main process:', error)
    report.noteBug('main', error)
    const [window] = BrowserWindow.getAllWindows()
    if (isShown || window === undefined) return
    isShown = true
    void showFatalError(window, 'program')
  })
  process.on('unhandledRejection', (reason) => {
    console.error('bug in the main process:', reason)
    report.noteBug('main', reason)
  })
}

/** Switches that apply to one start only. */
const onlyThisTime: readonly string[] = ['--hidden', ...Object.keys(acts)]

/**
 * The current start's switches for a restart, without its files and links. Arguments after `--` or a link are no
 * switches, because the link may have supplied them.
 */
export function restartArguments(argv: readonly string[], isDevelopment: boolean): string[] {
  const end = argv.findIndex((argument) => argument === '--' || isLinkOfOurs(argument))
  const given = argv.slice(1, end === -1 ? undefined : end)
  const appItself = isDevelopment ? given.find((argument) => !argument.startsWith('-')) : undefined
  const switches = given.filter((one) => one.startsWith('-') && !onlyThisTime.includes(one))
  return appItself === undefined ? switches : [appItself, ...switches]
}
