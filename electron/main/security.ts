/** Restrictions on the page, even if it is compromised: no navigation, no windows, no devices. */
import type { App, Session, WebContents } from 'electron'

/** Confines every page that the application opens. */
export function denyByDefault(app: App): void {
  app.on('web-contents-created', (_event, contents) => confine(contents))
}

function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Denies camera, location, notifications, clipboard reading and devices, which the page does not need. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}
