#!/usr/bin/env node
// see-window.mjs: runs `npm start` on the screen of $DISPLAY, waits until its window is there for everybody to see, asks
// the app to end, and expects it to end well. Needs xwininfo and xprop (package x11-utils).
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
  if (!id) throw new Failure('npm start ended before its window was there.')
  console.log(`  the window is there:\n${capture('xwininfo', ['-id', id, '-stats'])}`)
  const [, pid] = /= (\d+)/.exec(capture('xprop', ['-id', id, '_NET_WM_PID'])) ?? []
  process.kill(Number(pid), 'SIGTERM')
  const code = await ended
  if (code !== 0) throw new Failure(`npm start ended with ${code} when the app was asked to end.`)
  console.log('  the app was asked to end, and did')
})
