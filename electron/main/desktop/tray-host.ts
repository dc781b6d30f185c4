/** Detects a place for tray icons. GNOME has none, and an app that hides there would be lost. */
import { execFile } from 'node:child_process'

type Run = (program: string, args: readonly string[]) => Promise<string | null>

const bus = 'org.kde.StatusNotifierWatcher'
const path = '/StatusNotifierWatcher'
const property = 'IsStatusNotifierHostRegistered'
const getter = 'org.freedesktop.DBus.Properties.Get'

/** Commands that read one property from the session bus; each desktop has at least one of them. */
const questions: readonly (readonly [string, readonly string[]])[] = [
  [
    'gdbus',
    [
      'call',
      '--session',
      '--timeout=1',
      `--dest=${bus}`,
      `--object-path=${path}`,
      `--method=${getter}`,
      bus,
      property,
    ],
  ],
  ['busctl', ['--user', '--timeout=1', 'get-property', bus, path, bus, property]],
  [
    'dbus-send',
    [
      '--session',
      '--print-reply',
      '--reply-timeout=1000',
      `--dest=${bus}`,
      path,
      getter,
      `string:${bus}`,
      `string:${property}`,
    ],
  ],
]

/** Limits the check, because a person is waiting for the window to close. */
const patienceMs = 1500

/** True if a tray shows icons now. On Linux the first installed program is used; without an answer there is no tray. */
export async function hasTrayHost(
  platform: NodeJS.Platform,
  run: Run = runProgram,
): Promise<boolean> {
  if (platform !== 'linux') return true
  for (const [program, args] of questions) {
    const answer = await run(program, args)
    if (answer !== null) return /\btrue\b/.test(answer)
  }
  return false
}

/** The output of a program, `''` if it fails; `null` if it is missing. */
const runProgram: Run = (program, args) =>
  new Promise((resolve) => {
    const options = { timeout: patienceMs, maxBuffer: 64 * 1024 }
    execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve(stdout)
      else resolve(error.code === 'ENOENT' ? null : '')
    })
  })
