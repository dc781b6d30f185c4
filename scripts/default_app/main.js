// Stand-in for Electron's own default_app: loads the app named on the command line, so that a
// runtime taken from a packaged app behaves like `electron <folder of the app>`.
const { app } = require('electron')
const fs = require('fs')
const path = require('path')
const { Module } = require('module')

const preload = []
let appPath
const args = process.argv.slice(1)
while (args.length > 0 && appPath === undefined) {
  const arg = args.shift()
  if (arg === '--version' || arg === '-v') {
    console.log('v' + process.versions.electron)
    process.exit(0)
  } else if (arg === '-r' || arg === '--require') {
    preload.push(args.shift())
  } else if (arg.startsWith('--require=')) {
    preload.push(arg.slice('--require='.length))
  } else if (!arg.startsWith('-')) {
    appPath = arg
  }
}
if (preload.length > 0) Module._preloadModules(preload)
if (appPath === undefined) {
  console.error('usage: electron [options] <path to app>')
  process.exit(1)
}

process.defaultApp = true
try {
  const dir = path.resolve(appPath)
  const packageFile = path.join(dir, 'package.json')
  if (fs.existsSync(packageFile)) {
    const info = JSON.parse(fs.readFileSync(packageFile, 'utf8'))
    if (info.version) app.setVersion(info.version)
    if (info.productName || info.name) app.name = info.productName || info.name
    if (info.desktopName) app.setDesktopName(info.desktopName)
  }
  const file = Module._resolveFilename(dir, null, true)
  app.setAppPath(fs.statSync(dir).isDirectory() ? dir : path.dirname(file))
  Module._load(file, Module, true)
} catch (error) {
  console.error('The app threw an error while loading.')
  console.error(error.stack || error)
  app.exit(1)
}
