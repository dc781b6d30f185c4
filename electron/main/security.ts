/** What the page may never do, whoever controls it: leave, open windows, or use the computer. */
import type { App, Session, WebContents } from 'electron'

/** Holds for every page that the application ever opens. */
export function denyByDefault(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    confine(contents)
  })
}

function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => {
    event.preventDefault()
  })
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** No camera, place, notification, clipboard reading or device: the page needs none of them. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => {
    decide(false)
  })
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}
