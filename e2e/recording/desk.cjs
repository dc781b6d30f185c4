/** An Electron app that shows the desk and nothing else, to be photographed frame by frame. */
const { join } = require('node:path')
const { app, BrowserWindow } = require('electron')

void app.whenReady().then(async () => {
  const window = new BrowserWindow({ width: 1200, height: 750, useContentSize: true, frame: false })
  await window.loadFile(join(__dirname, 'desk.html'))
})
