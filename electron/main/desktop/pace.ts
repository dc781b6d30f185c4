/** Updates of what the desktop shows: soon, but not all the time. */

/** Tray and taskbar are for a glance; each change of a menu is a message to another program. */
const paceMs = 1000

/**
 * A function that asks for `update`: at once when the last was a while ago, else when it was. While
 * `update` answers true it is called again without being asked, because figures change as time goes
 * on; otherwise no timer runs.
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
