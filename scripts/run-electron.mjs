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

/** Stops where no window can open, naming the two ways that work without a screen. */
export function requireDisplay() {
  if (hasDisplay()) return
  throw new Failure(
    'There is no display, so the window cannot open: run "xvfb-run -a npm start" for a virtual one (of the packages ' +
      'xvfb and xauth), or use the command line: "npm run build", then "npm run cli -- --help".',
  )
}

/** What whoever starts the app has to know about this way of running it: sentences. */
export function warningsOf({ kind, version }, isRoot) {
  const warnings = []
  if (kind === 'fallback')
    warnings.push(
      `Warning: the window runs in Electron ${version}, an old substitute that gets no security fixes any more. It is for ` +
        'trying out; ELECTRON_RUNTIME=official refuses it.',
    )
  if (isRoot)
    warnings.push(
      "Warning: Chromium's sandbox refuses to start for root, so the window runs without it (--no-sandbox). Start it as " +
        'an ordinary user to have it.',
    )
  return warnings
}

/** Opens the app and resolves with its exit code when it has ended. */
export async function runElectron(args) {
  requireDisplay()
  const runtime = await electronRuntime()
  const isRoot = process.platform === 'linux' && process.getuid() === 0
  for (const warning of warningsOf(runtime, isRoot)) console.error(warning)
  const asRoot = isRoot ? ['--no-sandbox'] : []
  const child = spawn(runtime.executable, [...asRoot, root, ...args], { stdio: 'inherit' })
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
