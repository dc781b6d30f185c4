/** Where a build looks for updates, and whose signatures count: two files of the package (resources/README.md). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { TrustedKeys } from '#client/update/trusted-keys'
import { publicKeySchema, updateLimits } from '#shared/update/manifest'

/** Where manifests are, ending in a slash, and the built-in keys. */
export type UpdateFeed = { readonly address: URL; readonly known: TrustedKeys }

const addressSchema = z.strictObject({ address: z.string().max(500) })
const keysSchema = z.strictObject({
  serial: z.int().min(0).max(updateLimits.keyLists),
  keys: z.array(publicKeySchema).max(updateLimits.keys),
})

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

const isOnThisComputer = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopback.has(hostname)

/** https, or a server of this computer, which a redirect of any other never leads to. */
export const mayFetch = (url: URL, from: URL = url): boolean =>
  url.username === '' &&
  url.password === '' &&
  (url.protocol === 'https:' || (isOnThisComputer(url) && isOnThisComputer(from)))

/** The feed of the package whose resources are in this folder; `null` when it looks for no updates. */
export function readFeed(resources: string): UpdateFeed | null {
  try {
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(join(resources, name), 'utf8')) as unknown
    const { address } = addressSchema.parse(read('update-feed.json'))
    const known = keysSchema.parse(read('update-keys.json'))
    if (address === '' || known.keys.length === 0) return null
    const url = new URL(address.endsWith('/') ? address : `${address}/`)
    return mayFetch(url) && url.search === '' && url.hash === '' ? { address: url, known } : null
  } catch {
    return null
  }
}
