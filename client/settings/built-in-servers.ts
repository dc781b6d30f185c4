/** The servers that ship with a copy of the program, listed by its packager (resources/README.md). */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { type ServerProfile, settingsFields } from '#shared/settings/settings'

/** Far more than a list of servers needs. */
const maxBytes = 256 * 1024

const fileSchema = z.strictObject({ servers: settingsFields.network.servers.schema })

/** Empty if the file is missing or invalid: the program works without it. */
export function readBuiltInServers(path: string): readonly ServerProfile[] {
  try {
    const file = openSync(path, 'r')
    try {
      const status = fstatSync(file)
      if (!status.isFile() || status.size > maxBytes) return []
      const parsed = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
      return parsed.success ? parsed.data.servers : []
    } finally {
      closeSync(file)
    }
  } catch {
    return []
  }
}
