/**
 * The settings file that app and command share. People may edit it, so changes keep comments, order and unknown keys,
 * and an invalid file is never overwritten.
 */
import { dirname } from 'node:path'
import { withFileLock } from '#client/state/file-lock'
import { preparePrivateDirectory } from '#client/state/private-directory'
import { readPrivately, replacePrivately, storageErrorKind } from '#client/state/private-file'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import {
  type BadSetting,
  cautiousSettings,
  decodeSettings,
  patchDocument,
  type Settings,
  type SettingsDocument,
  settingsEntry,
  type SettingsPatch,
} from '#shared/settings/settings'
import type { StorageError } from '#shared/state/storage-error'
import { maxBytes, parseToml, patchToml } from '#shared/toml-text'

/** The newest supported version of the file, also assumed for a file without one. */
export const configVersion = 1

const head = `# Settings of Thruflux, for the app and for thru.
# "thru config" lists all of them, docs/settings.md says what they mean.
version = ${configVersion}
`

/** The current content of the file. */
export type SettingsReading = {
  /** Only the settings in the file; empty if it is missing or unusable. */
  readonly document: SettingsDocument
  /** All settings; cautious ones if the file is unusable. */
  readonly settings: Settings
  /** Forbids sharing and receiving: an unusable file may forbid things that the defaults allow. */
  readonly refusal: AppError | null
  /** Invalid settings, replaced by default or cautious values. */
  readonly bad: readonly BadSetting[]
  /** The reason why the file is unusable, in full or in part. */
  readonly error: (StorageError & { readonly kind: SettingsErrorKind }) | null
}

type Found = { readonly text: string; readonly reading: SettingsReading }

/** Each program has one; several programs may share a file. */
export class SettingsFile {
  /** An absolute path. */
  readonly path: string
  #changing: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.path = path
  }

  /** Reads the file each time. */
  read(): SettingsReading {
    return this.#find().reading
  }

  /**
   * Changes the current content of the file, after all earlier changes; simultaneous changes of other programs wait.
   * Resolves when it is on disk. Error: `E_BAD_ARGUMENT` with the path of an unusable file, or with the key of an
   * invalid value; then nothing was changed.
   */
  change(patch: SettingsPatch): Promise<Result<SettingsReading, AppError>> {
    const done = this.#changing.then(() => this.#change(patch))
    this.#changing = done
    return done
  }

  async #change(patch: SettingsPatch): Promise<Result<SettingsReading, AppError>> {
    try {
      const problem = preparePrivateDirectory(dirname(this.path), 'create')
      if (problem !== null) return err(this.#refusal('unsafe', problem))
      return await withFileLock(`${this.path}.lock`, () => this.#rewrite(patch))
    } catch (reason) {
      const detail = reason instanceof Error ? reason.message : String(reason)
      return err(this.#refusal('inaccessible', detail))
    }
  }

  async #rewrite(patch: SettingsPatch): Promise<Result<SettingsReading, AppError>> {
    const { text, reading } = this.#find()
    const { error } = reading
    if (error !== null && error.kind !== 'bad-values') {
      return err(this.#refusal(error.kind, error.detail))
    }
    const document = patchDocument(reading.document, patch)
    const changed = patchToml(text === '' ? head : text, { version: configVersion, ...document })
    const bytes = new TextEncoder().encode(changed)
    // Never writes a file that a later start would reject.
    const again = bytes.length <= maxBytes ? parseToml(bytes) : err('it would be too large')
    if (!again.ok) return err(this.#refusal('malformed', again.error))
    const after = this.#readingOf(again.value)
    const bad = after.bad.find(({ key }) => isIn(patch, key))
    if (bad !== undefined) return err(appError('E_BAD_ARGUMENT', bad.reason, bad.key))
    await replacePrivately(dirname(this.path), this.path, changed)
    return ok(after)
  }

  #find(): Found {
    try {
      const problem = preparePrivateDirectory(dirname(this.path), 'leave')
      if (problem !== null) return this.#unusable('unsafe', problem)
      const bytes = readPrivately(this.path, maxBytes)
      const parsed = parseToml(bytes)
      if (!parsed.ok) return this.#unusable('malformed', parsed.error)
      const { version = configVersion } = parsed.value as { readonly version?: unknown }
      if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
        return this.#unusable('malformed', 'version must be a whole number from 1')
      }
      if (version > configVersion) return this.#unusable('newer', `version ${version}`)
      return { text: new TextDecoder().decode(bytes), reading: this.#readingOf(parsed.value) }
    } catch (reason) {
      const { code, message } = reason as NodeJS.ErrnoException
      return code === 'ENOENT' || code === 'ENOTDIR'
        ? { text: '', reading: this.#readingOf({}) }
        : this.#unusable(kindOf(code), message)
    }
  }

  #readingOf(document: SettingsDocument): SettingsReading {
    const { settings, bad } = decodeSettings(document)
    const detail = bad.map(({ reason }) => reason).join(' ')
    const error = { file: this.path, kind: 'bad-values' as const, detail }
    return { document, settings, refusal: null, bad, error: bad.length === 0 ? null : error }
  }

  #unusable(kind: keyof typeof refusals, detail: string): Found {
    const error = { file: this.path, kind, detail }
    const refusal = this.#refusal(kind, detail)
    const reading = { document: {}, settings: cautiousSettings, refusal, bad: [], error }
    return { text: '', reading }
  }

  #refusal(kind: keyof typeof refusals, detail: string): AppError {
    return appError('E_BAD_ARGUMENT', refusals[kind](this.path, detail), this.path)
  }
}

/** This file is never replaced by a new one, because people write it. */
export type SettingsErrorKind = Exclude<StorageError['kind'], 'damaged'>

function kindOf(code: string | undefined): keyof typeof refusals {
  const kind = storageErrorKind(code)
  return kind === 'damaged' ? 'malformed' : kind
}

const isIn = (patch: SettingsPatch, key: string): boolean => {
  const entry = settingsEntry(key)
  return entry !== undefined && Object.hasOwn(patch[entry.section] ?? {}, entry.name)
}

/** One sentence says what happened, another what to do. */
const refusals: {
  readonly [K in Exclude<SettingsErrorKind, 'bad-values'>]: (path: string, detail: string) => string
} = {
  malformed: (path, detail) =>
    `The settings in ${path} make no sense (${detail}). Correct the file, or move it away.`,
  newer: (path) =>
    `A newer version of Thruflux wrote the settings in ${path}. Update Thruflux, or move the file away.`,
  unsafe: (path, detail) =>
    `The settings in ${path} aren't used for safety (${detail}). Put a file of your own there.`,
  inaccessible: (path, detail) =>
    `The settings in ${path} can't be read or written (${detail}). Give your account permission to do both.`,
}
