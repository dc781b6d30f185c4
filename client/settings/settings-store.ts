/** The settings of a running program, which follow changes by other programs. */
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { SettingsFile, SettingsReading } from '#client/settings/settings-file'
import { preparePrivateDirectory } from '#client/state/private-directory'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import {
  decodeSettings,
  defaultSettings,
  patchDocument,
  type Settings,
  type SettingsPatch,
} from '#shared/settings/settings'
import type { StorageError } from '#shared/state/storage-error'

/** Editors truncate or move a file just before they write it, so it is briefly empty. */
const settleMs = 100

/** Called after each change of a setting or of the file's error. */
export type SettingsListener = (settings: Settings) => void

/** A client's view of its settings. */
export interface SettingsSource {
  readonly settings: Settings
  /** The error that makes the file unusable, in full or in part. */
  readonly error: StorageError | null
  /** Forbids sharing and receiving, as in `SettingsReading`. */
  readonly refusal: AppError | null
  change(patch: SettingsPatch): Promise<Result<null, AppError>>
  /** Calls `listener` until the returned function is called. */
  subscribe(listener: SettingsListener): () => void
  close(): void
}

/** The settings of one file. */
export class SettingsStore implements SettingsSource {
  readonly #file: SettingsFile
  #reading: SettingsReading
  #watcher: FSWatcher | null = null
  #settling: NodeJS.Timeout | null = null
  readonly #listeners = new Set<SettingsListener>()

  constructor(file: SettingsFile) {
    this.#file = file
    this.#reading = file.read()
  }

  get settings(): Settings {
    return this.#reading.settings
  }

  get error(): StorageError | null {
    return this.#reading.error
  }

  get refusal(): AppError | null {
    return this.#reading.refusal
  }

  /** See `SettingsFile.change`. */
  async change(patch: SettingsPatch): Promise<Result<null, AppError>> {
    const changed = await this.#file.change(patch)
    if (!changed.ok) return changed
    this.#take(changed.value)
    return ok(null)
  }

  subscribe(listener: SettingsListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Follows changes by other programs and editors, until `close`. */
  watch(): void {
    const directory = dirname(this.#file.path)
    try {
      if (preparePrivateDirectory(directory, 'create') !== null) return
      // Watches the folder, because saving replaces the file.
      this.#watcher = watch(directory, { persistent: false }, (_event, name) => {
        if (name === null || name === basename(this.#file.path)) this.#reloadSoon()
      })
      this.#watcher.on('error', () => this.close())
    } catch {
      // Without watching, changes apply at the next start or change here.
    }
  }

  /** Rereads the file. An unusable one changes nothing: an editor may be writing it. */
  reload(): void {
    const reading = this.#file.read()
    const isUsable = reading.error === null || reading.error.kind === 'bad-values'
    this.#take(isUsable ? reading : { ...this.#reading, error: reading.error })
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = null
    if (this.#settling !== null) clearTimeout(this.#settling)
    this.#settling = null
  }

  #reloadSoon(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = null
      this.reload()
    }, settleMs).unref()
  }

  #take(reading: SettingsReading): void {
    const saysOf = ({ settings, error }: SettingsReading) => JSON.stringify([settings, error])
    const before = saysOf(this.#reading)
    this.#reading = reading
    if (before === saysOf(reading)) return
    for (const listener of this.#listeners) listener(reading.settings)
  }
}

/** Settings that last until the program ends. */
export class SettingsInMemory implements SettingsSource {
  #settings: Settings
  readonly error = null
  readonly refusal = null
  readonly #listeners = new Set<SettingsListener>()

  constructor(settings: Settings = defaultSettings) {
    this.#settings = settings
  }

  get settings(): Settings {
    return this.#settings
  }

  change(patch: SettingsPatch): Promise<Result<null, AppError>> {
    this.#settings = decodeSettings(patchDocument(this.#settings, patch)).settings
    for (const listener of this.#listeners) listener(this.#settings)
    return Promise.resolve(ok(null))
  }

  subscribe(listener: SettingsListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(): void {
    this.#listeners.clear()
  }
}
