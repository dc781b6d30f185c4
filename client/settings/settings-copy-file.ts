/** Settings in a file that a person chose, to move them between computers. */
import { configVersion } from '#client/settings/settings-file'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import type { SettingsDocument } from '#shared/settings/settings'
import { maxBytes, parseToml, patchToml } from '#shared/toml-text'

const head = `# Settings of Thruflux. Import them under Settings > Advanced.
version = ${configVersion}
`

/** The text of an exported file. */
export const settingsCopyText = (document: SettingsDocument): string =>
  patchToml(head, { version: configVersion, ...document })

/**
 * Reads an exported file. Errors: `E_BAD_ARGUMENT` if it is too large, invalid or of a newer version, with `file` as
 * its subject.
 */
export function readSettingsCopy(
  bytes: Uint8Array,
  file: string,
): Result<SettingsDocument, AppError> {
  if (bytes.length > maxBytes) return err(refusal('it is too large', file))
  const parsed = parseToml(bytes)
  if (!parsed.ok) return err(refusal(parsed.error, file))
  const { version = configVersion, ...document } = parsed.value as SettingsDocument & {
    readonly version?: unknown
  }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return err(refusal('version must be a whole number from 1', file))
  }
  return isNewer(version) ? err(newer(file)) : ok(document)
}

/** True for settings of a newer version, which must not be replaced. */
export function isOfNewerVersion(bytes: Uint8Array): boolean {
  const parsed = bytes.length > maxBytes ? null : parseToml(bytes)
  return parsed?.ok === true && isNewer((parsed.value as { version?: unknown }).version)
}

const isNewer = (version: unknown): boolean =>
  typeof version === 'number' && version > configVersion

/** The error of a file that would be replaced or read. */
export const newer = (file: string): AppError =>
  appError(
    'E_BAD_ARGUMENT',
    `A newer version of Thruflux wrote ${file}. Choose another file.`,
    file,
  )

const refusal = (why: string, file: string): AppError =>
  appError('E_BAD_ARGUMENT', `${file} has no settings (${why}). Choose another file.`, file)
