#!/usr/bin/env node
// see-window.mjs: runs `npm start` on $DISPLAY, waits until its window is visible, ends the app, and expects a clean
// exit. Needs xwininfo and xprop (package x11-utils).
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '../lib/cache.mjs'
import { Failure, runMain } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'
import { visibleWindow } from './window.mjs'

runMain(async () => {
  const child = spawn('npm', ['start'], { cwd: root, stdio: 'inherit' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let over = false
  void ended.then(() => (over = true))
  let id
  while (!over && !(id = visibleWindow())) await delay(250)
  if (!id) throw new Failure('npm start ended before its window appeared.')
  console.log(`  the window is visible:\n${capture('xwininfo', ['-id', id, '-stats'])}`)
  const [, pid] = /= (\d+)/.exec(capture('xprop', ['-id', id, '_NET_WM_PID'])) ?? []
  process.kill(Number(pid), 'SIGTERM')
  const code = await ended
  if (code !== 0) throw new Failure(`npm start ended with ${code} after SIGTERM.`)
  console.log('  the app ended cleanly after SIGTERM')
})
