/** The installer of a new version, run as a private copy that was checked just before. */
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { diskError } from '#client/update/download'
import { copyHashed } from '#client/update/hash-file'
import type { Ready } from '#client/update/updater'
import { err, ok, type Result } from '#shared/result'
import { type UpdateError, updateError } from '#shared/update/update-error'
import type { Installer } from './installer'

/** Resolves when the program runs by itself. Rejects with what the system says. */
export type Run = (program: string, args: readonly string[]) => Promise<void>

const run: Run = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })

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

  async install({ path, manifest }: Ready, restarts: boolean): Promise<Result<null, UpdateError>> {
    const program = join(this.#directory, 'setup.exe')
    try {
      await rm(program, { force: true })
      if ((await copyHashed(path, program, 0o700)) !== manifest.sha512) {
        await rm(program, { force: true })
        return err(updateError('E_UPDATE_DAMAGED', 'changed since it was downloaded'))
      }
    } catch (reason) {
      return err(diskError(reason))
    }
    try {
      await this.#run(program, ['/S', '--updated', ...(restarts ? ['--force-run'] : [])])
      return ok(null)
    } catch (reason) {
      return err(updateError('E_UPDATE_INSTALL', String(reason)))
    }
  }
}
