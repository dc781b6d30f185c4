/**
 * The file of settings that app and command share. People may edit it: what a program changes leaves
 * comments, order and unknown keys as they are, and a file that makes no sense is never overwritten.
 */
import { dirname } from 'node:path'
import { withFileLock } from '#client/state/file-lock'
import { preparePrivateDirectory } from '#client/state/private-directory'
import { readPrivately, replacePrivately, troubleKind } from '#client/state/private-file'
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
import type { StorageTrouble } from '#shared/state/app-state'
import { maxBytes, parseToml, patchToml } from '#shared/toml-text'

/** The newest version of the file that is understood; a file without one is of this version. */
export const configVersion = 1

const head = `# Settings of Thruflux, for the app and for thru.
# "thru config" lists all of them, docs/settings.md says what they mean.
version = ${configVersion}
`

/** What the file says now. */
export type SettingsReading = {
  /** Only what stands in the file; empty without one, and for one that can't be used. */
  readonly document: SettingsDocument
  /** Cautious ones for a file that can't be used. */
  readonly settings: Settings
  /** Forbids sharing and receiving: the file can't be used, and may forbid what the defaults allow. */
  readonly refusal: AppError | null
  /** Settings that make no sense, whose default or cautious values are used. */
  readonly bad: readonly BadSetting[]
  /** Why the file can't be used, or not in full. */
  readonly trouble: (StorageTrouble & { readonly kind: SettingsTrouble }) | null
}

type Found = { readonly text: string; readonly reading: SettingsReading }

/** One for a program; several programs may have one for the same file. */
export class SettingsFile {
  /** Absolute. */
  readonly path: string
  #changing: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.path = path
  }

  /** Looks at the disk each time. */
  read(): SettingsReading {
    return this.#find().reading
  }

  /**
   * Changes what the file says at that moment, after all changes before this one; a program that
   * changes it at the same time waits. Resolves when it is on the disk. Error: `E_BAD_ARGUMENT` with
   * the path, when it can't be written or is not understood, or with the key of a value that makes no
   * sense; then nothing was changed.
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
    const { trouble } = reading
    if (trouble !== null && trouble.kind !== 'bad-values') {
      return err(this.#refusal(trouble.kind, trouble.detail))
    }
    const document = patchDocument(reading.document, patch)
    const changed = patchToml(text === '' ? head : text, { version: configVersion, ...document })
    const bytes = new TextEncoder().encode(changed)
    // What a later start would not read must not be written.
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
    const trouble = { file: this.path, kind: 'bad-values' as const, detail }
    return { document, settings, refusal: null, bad, trouble: bad.length === 0 ? null : trouble }
  }

  #unusable(kind: keyof typeof refusals, detail: string): Found {
    const trouble = { file: this.path, kind, detail }
    const refusal = this.#refusal(kind, detail)
    const reading = { document: {}, settings: cautiousSettings, refusal, bad: [], trouble }
    return { text: '', reading }
  }

  #refusal(kind: keyof typeof refusals, detail: string): AppError {
    return appError('E_BAD_ARGUMENT', refusals[kind](this.path, detail), this.path)
  }
}

/** This file is never set aside for a new one: people write it. */
export type SettingsTrouble = Exclude<StorageTrouble['kind'], 'damaged'>

function kindOf(code: string | undefined): keyof typeof refusals {
  const kind = troubleKind(code)
  return kind === 'damaged' ? 'malformed' : kind
}

const isIn = (patch: SettingsPatch, key: string): boolean => {
  const entry = settingsEntry(key)
  return entry !== undefined && Object.hasOwn(patch[entry.section] ?? {}, entry.name)
}

/** What happened, and what to do; a sentence each. */
const refusals: {
  readonly [K in Exclude<SettingsTrouble, 'bad-values'>]: (path: string, detail: string) => string
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
