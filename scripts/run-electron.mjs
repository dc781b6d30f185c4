#!/usr/bin/env node
// run-electron.mjs [arguments...]: runs the built app in this machine's Electron runtime.
import { spawn } from 'node:child_process'
import { electronRuntime } from './electron-runtime.mjs'
import { root } from './lib/cache.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'

/** True if there is a display for a window. */
export function hasDisplay(env = process.env, platform = process.platform) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Fails if no window can open, with two alternatives that work without a display. */
export function requireDisplay() {
  if (hasDisplay()) return
  throw new Failure(
    'There is no display, so the window can\'t open. Run "xvfb-run -a npm start" for a virtual one (packages ' +
      'xvfb and xauth), or use the command line: "npm run build", then "npm run cli -- --help".',
  )
}

/** Returns sentences that warn about this way of running the app. */
export function warningsOf({ kind, version }, isRoot) {
  const warnings = []
  if (kind === 'fallback')
    warnings.push(
      `Warning: the window runs in Electron ${version}, an old substitute without security fixes. It is only for ` +
        'trials; ELECTRON_RUNTIME=official refuses it.',
    )
  if (isRoot)
    warnings.push(
      "Warning: Chromium's sandbox doesn't run as root, so the window runs without it (--no-sandbox). To use the sandbox, " +
        'start the app as an ordinary user.',
    )
  return warnings
}

/** Runs the app and resolves with its exit code. */
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
      reject(new Failure(`Electron couldn't be started: ${error.message}.`)),
    )
    child.on('close', (code) => resolve(code ?? 1))
  })
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    process.exitCode = await runElectron(process.argv.slice(2))
  })
}
