/** How the log names clients' addresses: not at all, unless the operator says so. */
import { createHmac } from 'node:crypto'
import type { Random } from '#signaling/random'
import { addressForLog } from '#signaling/socket/address'

/**
 * `none`; `hashed`: a code that tells addresses apart until the process ends, and no longer; `network`:
 * /24 or /48.
 */
export const addressForms = ['none', 'hashed', 'network'] as const

/** What a log line says of an address, see `addressKey`; `null` is one that isn't known. */
export type NameAddress = (address: string | null) => { readonly address?: string }

/** Names addresses in this form, one of `addressForms`. */
export function addressNames(form: string, random: Random): NameAddress {
  if (form === 'none') return () => ({})
  const key = random.bytes(32)
  const code = (address: string): string =>
    createHmac('sha256', key).update(address).digest('hex').slice(0, 12)
  return (address) => {
    if (address === null) return { address: 'unknown' }
    return { address: form === 'hashed' ? code(address) : addressForLog(address) }
  }
}
