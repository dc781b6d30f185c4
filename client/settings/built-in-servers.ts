/** The servers that a copy of the program comes with; whoever builds one lists them (resources/README.md). */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { type ServerProfile, settingsFields } from '#shared/settings/settings'

/** Far more than the servers of a list take. */
const maxBytes = 256 * 1024

const fileSchema = z.strictObject({ servers: settingsFields.network.servers.schema })

/** None for a file that is missing or makes no sense: the program works without. */
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
