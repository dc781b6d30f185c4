#!/usr/bin/env node
// run-electron.mjs [arguments...]: runs the built app in the Electron runtime of this machine.
import { spawn } from 'node:child_process'
import { electronRuntime } from './electron-runtime.mjs'
import { root } from './lib/cache.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'

/** True when there is a screen to open a window on. */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Refuses to go on where no window can open, naming the two ways that work without a screen. */
export function requireDisplay() {
  if (hasDisplay()) return
  throw new Failure(
    'There is no display, so the window cannot open: run "xvfb-run -a npm start" for a virtual one, or use the ' +
      'command line: "npm run build", then "npx thru --help".',
  )
}

/** Opens the app and resolves with its exit code when it has ended. */
export async function runElectron(args) {
  requireDisplay()
  const { executable } = await electronRuntime()
  // Chromium's sandbox refuses to start for root, which only containers and test machines are.
  const asRoot = process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : []
  const child = spawn(executable, [...asRoot, root, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new Failure(`Electron could not be started: ${error.message}.`)),
    )
    child.on('close', (code) => resolve(code ?? 1))
  })
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    process.exitCode = await runElectron(process.argv.slice(2))
  })
}
