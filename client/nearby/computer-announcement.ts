/**
 * The texts by which a computer announces itself on the local network (docs/nearby.md): `d`, the nameplate of its door;
 * `n`, the name that its person chose, unless only contacts may see it; and `c`, marks by which contacts recognize it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { shownName } from '#client/nearby/call-messages'

/** A contact's shared key, and the public key of the announced computer. */
export type MarkKeys = { readonly key: string; readonly publicKey: string }

/** The number of marks in every announcement; random ones fill the rest, so their number reveals nothing. */
export const markCount = 30

const markBytes = 6

/** The mark by which a contact recognizes an announcement of the computer with `publicKey`: 8 characters. */
export const markOf = ({ key, publicKey }: MarkKeys, instance: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64url'))
    .update('thruflux nearby 1 mark')
    .update(Buffer.from(publicKey, 'base64url'))
    .update(instance)
    .digest()
    .subarray(0, markBytes)
    .toString('base64url')

/** The content of a computer's announcement. */
export type ComputerTexts = {
  readonly door: string
  /** `null` if only contacts may know it. */
  readonly name: string | null
  readonly marks: readonly string[]
}

/** The texts of an announcement; at most `markCount` marks are used. */
export function encodeComputer({ door, name, marks }: ComputerTexts) {
  const missing = Math.max(0, markCount - marks.length)
  const random = Array.from({ length: missing }, () => randomBytes(markBytes).toString('base64url'))
  const c = [...marks.slice(0, markCount), ...random].sort().join('')
  return { d: door, ...(name === null ? {} : { n: name }), c }
}

/** The texts of a computer; `null` for those of anything else. */
export function decodeComputer({
  d = '',
  n,
  c = '',
}: Readonly<Record<string, string | undefined>>): ComputerTexts | null {
  if (!/^[1-9][0-9]{3,5}$/.test(d) || !/^(?:[A-Za-z0-9_-]{8}){0,31}$/.test(c)) return null
  const name = n === undefined ? '' : shownName(n)
  return { door: d, name: name === '' ? null : name, marks: c.match(/.{8}/g) ?? [] }
}
