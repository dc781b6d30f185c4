/** Names clients' addresses in the log, which has none unless the operator allows it. */
import { createHmac } from 'node:crypto'
import type { Random } from '#signaling/random'
import { addressForLog } from '#signaling/socket/address'

/**
 * `hashed` is a code that distinguishes addresses until the process ends; `network` is the /24 or /48.
 */
export const addressForms = ['none', 'hashed', 'network'] as const

/** The log's field for an address, see `addressKey`; `null` is an unknown address. */
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
