/** The installer of a new version, run as a private copy that was checked just before. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskError } from '#client/update/download'
import type { Ready } from '#client/update/updater'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'
import { checkedCopy } from './checked-copy'
import type { Installer } from './installer'

/** Resolves when the program runs by itself. Rejects with what the system says. */
export type Run = (program: string, args: readonly string[]) => Promise<void>

/** Starts it in its own folder, and lets it go. */
export const run: Run = (program, args) =>
  new Promise((resolve, reject) => {
    // Nothing is looked for in the folder that this app happened to be started from.
    const cwd = dirname(program)
    const child = spawn(program, args, { cwd, detached: true, stdio: 'ignore' })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })

/** Windows loads more for a program named setup.exe than that asks for, and not only from its own folder. */
const programName = 'thruflux-setup.exe'

/** What the folders of installers begin with. */
const folderName = 'setup-'

/** The switches are those of build/windows/installer.nsi, which asks for an administrator where it needs one. */
export class WindowsInstaller implements Installer {
  readonly #directory: string
  readonly #run: Run

  /** `directory`: absolute, for this account only. */
  constructor(directory: string, start: Run = run) {
    this.#directory = directory
    this.#run = start
  }

  prepare(): Promise<Result<null, UpdateError>> {
    return Promise.resolve(ok(null))
  }

  async install(
    ready: Ready,
    restarts: boolean,
    mayEnd: () => boolean,
  ): Promise<Result<null, UpdateError>> {
    let program: string
    try {
      program = join(await this.#newFolder(), programName)
    } catch (reason) {
      return err(diskError(reason))
    }
    const copied = await checkedCopy(ready, program, 0o700)
    if (!copied.ok) return copied
    if (!mayEnd()) return ok(null)
    try {
      await this.#run(program, ['/S', '--updated', ...(restarts ? ['--force-run'] : [])])
      return ok(null)
    } catch (reason) {
      return err(updateError('E_UPDATE_INSTALL', String(reason)))
    }
  }

  /**
   * A folder whose name nobody can know before, so that nothing waits for the installer there, such as a library
   * that it would load. Folders of installers that have ended go.
   */
  async #newFolder(): Promise<string> {
    const left = (await readdir(this.#directory)).filter((name) => name.startsWith(folderName))
    for (const name of left) {
      // One that still runs can't be removed.
      const path = join(this.#directory, name)
      await rm(path, { force: true, recursive: true }).catch(() => undefined)
    }
    return mkdtemp(join(this.#directory, folderName))
  }
}
