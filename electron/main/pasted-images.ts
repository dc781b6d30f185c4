/** Stores pasted images as files, so that they can be shared; each is removed with its share. */
import { readdirSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { err, type Result } from '#shared/result'
import type { ShareId } from '#shared/state/app-state'
import { text } from './text'

const codes: Readonly<Record<string, ErrorCode>> = { ENOSPC: 'E_DISK_FULL', EIO: 'E_DISK_IO' }

const two = (part: number): string => `${part}`.padStart(2, '0')

/** A file name with the local time, in characters that every system allows. */
function fileName(nowMs: number): string {
  const now = new Date(nowMs)
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')
  return `${text.dialogs.pastedImage({ date, time })}.png`
}

export class PastedImages {
  readonly #directory: string
  readonly #nowMs: () => number
  /** Folders of an earlier run, from a crash or for shares that resume. */
  readonly #left: readonly string[]
  readonly #shared = new Map<ShareId, string>()

  /** `directory` belongs to the only process of a profile, and contains nothing else. */
  constructor(directory: string, nowMs: () => number) {
    this.#directory = directory
    this.#nowMs = nowMs
    this.#left = listed(directory).map((name) => join(directory, name))
  }

  /** Removes the folders of an earlier run, except those of `needed` files. */
  removeLeft(needed: readonly string[]): void {
    const kept = new Set(needed.map((file) => dirname(file)))
    for (const folder of this.#left.filter((one) => !kept.has(one))) remove(folder)
  }

  /**
   * Writes a checked PNG into its own folder, readable by this account only, and shares it with `open`. Errors:
   * `E_DISK_FULL`, `E_DISK_IO`, `E_TARGET_NOT_WRITABLE`, and those of `open`; no file is left then.
   */
  async share(
    png: Uint8Array,
    open: (file: string) => Result<ShareId, AppError>,
  ): Promise<Result<ShareId, AppError>> {
    let folder: string | null = null
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      folder = await mkdtemp(join(this.#directory, 'image-'))
      const file = join(folder, fileName(this.#nowMs()))
      await writeFile(file, png, { mode: 0o600, flag: 'wx' })
      const opened = open(file)
      if (opened.ok) this.#shared.set(opened.value, folder)
      else remove(folder)
      return opened
    } catch (reason) {
      if (folder !== null) remove(folder)
      const { code = '' } = reason as NodeJS.ErrnoException
      return err(appError(codes[code] ?? 'E_TARGET_NOT_WRITABLE', code, this.#directory))
    }
  }

  /** Removes the image of an ended share, if it had one. */
  removeOf(share: ShareId): void {
    const folder = this.#shared.get(share)
    if (folder === undefined) return
    this.#shared.delete(share)
    remove(folder)
  }
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** If a file is still being read, the next start removes it. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    console.error('could not remove a pasted image:', error)
  }
}
