// An empty window, to measure the resources of Electron itself.
const { app, BrowserWindow } = require('electron')

const profile = process.argv.find((argument) => argument.startsWith('--user-data-dir='))
if (profile !== undefined) app.setPath('userData', profile.slice(profile.indexOf('=') + 1))
void app.whenReady().then(async () => {
  const window = new BrowserWindow({ width: 1180, height: 760, webPreferences: { sandbox: true } })
  await window.loadURL('data:text/html,<title>empty</title>')
})
