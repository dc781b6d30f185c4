/** Limits the rate of updates to the desktop. */

/** Each change of a menu is a message to another program, and tray and taskbar need only a glance. */
const paceMs = 1000

/**
 * Returns a function that requests `update`: it runs immediately, or `paceMs` after the last run. While `update`
 * returns true it runs repeatedly, because figures change with time.
 */
export function createPace(update: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let isAsked = false
  const run = (): void => {
    isAsked = false
    const goesOn = update()
    timer = setTimeout(() => {
      timer = null
      if (isAsked || goesOn) run()
    }, paceMs)
  }
  return () => {
    isAsked = true
    if (timer === null) run()
  }
}
