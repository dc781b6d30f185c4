/** Exports and imports settings; the person chooses the file, and the page never names it. */
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Client } from '#client/client'
import {
  isOfNewerVersion,
  newer,
  readSettingsCopy,
  settingsCopyText,
} from '#client/settings/settings-copy-file'
import { appError } from '#shared/errors'
import type { Handlers } from '#shared/ipc'
import { err, ok } from '#shared/result'
import type { SettingsPatch } from '#shared/settings/settings'
import { exportedSettings, importedSettings } from '#shared/settings/settings-copy'
import { maxBytes } from '#shared/toml-text'
import { pickSaveFile, pickSettingsFile } from './dialogs'
import { saveText } from './save-text'

type SettingsHandlers = Pick<Handlers, 'exportSettings' | 'pickSettings' | 'importSettings'>

/** `directory`: the initial folder of the export dialog. */
export function settingsHandlers(client: Client, directory: () => string): SettingsHandlers {
  let read: SettingsPatch | null = null
  const settings = () => client.snapshot().state.settings
  return {
    exportSettings: async () => {
      const file = await pickSaveFile(directory(), 'thruflux-settings', 'toml')
      if (file === null) return ok(null)
      const there = await beginningOf(file)
      if (there !== null && isOfNewerVersion(there)) return err(newer(file))
      const { document, withheld } = exportedSettings(settings())
      const error = await saveText(file, settingsCopyText(document))
      return error === null ? ok({ name: basename(file), withheld }) : err(error)
    },
    pickSettings: async () => {
      read = null
      const file = await pickSettingsFile()
      if (file === null) return ok(null)
      const bytes = await beginningOf(file)
      if (bytes === null) return err(appError('E_PATH_UNREADABLE', '', file))
      const document = readSettingsCopy(bytes, basename(file))
      if (!document.ok) return document
      const { patch, ...shown } = importedSettings(settings(), document.value)
      read = patch
      return ok({ name: basename(file), ...shown })
    },
    importSettings: async () => {
      if (read === null) return err(appError('E_BAD_ARGUMENT', 'no file was chosen'))
      const done = await client.changeSettings(read)
      if (done.ok) read = null
      return done
    },
  }
}

/** Reads at most one byte more than the largest settings file; `null` if that fails. */
async function beginningOf(file: string): Promise<Uint8Array | null> {
  try {
    const handle = await open(file)
    try {
      if (!(await handle.stat()).isFile()) return null
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1))
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
