// Finds the app's window on an X server. Needs xwininfo (package x11-utils).
import { capture } from '../lib/run.mjs'

/** The id of the window titled "Thruflux" in the output of xwininfo, or undefined. */
function windowIn(tree) {
  return /^\s*(0x[0-9a-f]+) "Thruflux"/m.exec(tree)?.[1]
}

/** The id of that window once it is mapped. */
export function visibleWindow() {
  const id = windowIn(capture('xwininfo', ['-root', '-tree']) ?? '')
  const state = id && capture('xwininfo', ['-id', id])
  return state?.includes('Map State: IsViewable') ? id : undefined
}
