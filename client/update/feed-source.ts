/** The address and keys of a build's update feeds: two files of the package (resources/README.md). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { publicKeySchema, updateLimits } from '#shared/update/feed'

/** The address of the feeds, ending in a slash, and the keys, of which any one may sign. */
export type FeedSource = { readonly address: URL; readonly keys: readonly string[] }

const addressSchema = z.strictObject({ address: z.string().max(500) })
const keysSchema = z.strictObject({ keys: z.array(publicKeySchema).max(updateLimits.keys) })

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

/** Allows https, and a server on this computer for tests. */
const mayAsk = ({ protocol, hostname, username, password, search, hash }: URL): boolean =>
  username + password + search + hash === '' &&
  (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname)))

/** The feed source in a package's resources folder; `null` if it checks for no updates. */
export function readFeedSource(resources: string): FeedSource | null {
  try {
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(join(resources, name), 'utf8')) as unknown
    const { address } = addressSchema.parse(read('update-feed.json'))
    const { keys } = keysSchema.parse(read('update-keys.json'))
    if (address === '' || keys.length === 0) return null
    const url = new URL(address.endsWith('/') ? address : `${address}/`)
    return mayAsk(url) ? { address: url, keys } : null
  } catch {
    return null
  }
}
