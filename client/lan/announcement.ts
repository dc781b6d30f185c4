/** What a share says of itself on the local network, in records of DNS-SD (RFC 6763). */
import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Packet } from 'dns-packet'
import type { NearAddress } from '#client/lan/interfaces'

/** All shares of all programs are listed under it. */
export const serviceType = '_thruflux._tcp.local'

/** Numbers this text's form; others are ignored. */
const version = '1'

/** How long others may remember it, s. */
const ttlS = 120

/** A share that can be found: a name that says nothing, and a nameplate that only its knower recognizes. */
export type Announcement = {
  /** 16 hexadecimal digits, random. */
  readonly instance: string
  /** Of the signaling server, at the address that the announcement comes from. */
  readonly port: number
  readonly salt: string
  /** See `hashOf`. */
  readonly hash: string
}

/**
 * The first 64 bits of a SHA-256. Nameplates are few and public: it keeps them from being read in
 * passing, and not from being found by trying them all.
 */
const hashOf = (salt: string, nameplate: string): string =>
  createHash('sha256')
    .update(`thruflux nameplate 1 ${salt} ${nameplate}`)
    .digest('hex')
    .slice(0, 16)

/** A new one for a share. */
export function announce(nameplate: string, port: number): Announcement {
  const salt = randomBytes(8).toString('hex')
  const instance = randomBytes(8).toString('hex')
  return { instance, port, salt, hash: hashOf(salt, nameplate) }
}

/** True when it is of a share with this nameplate. */
export const isOf = ({ salt, hash }: Announcement, nameplate: string): boolean =>
  hash === hashOf(salt, nameplate)

/** What fits into one packet of any network, in bytes; ours do. */
export const maxPacketBytes = 1500

/** How the name of `serviceType` begins in every packet that has it, behind its length. */
const serviceLabel = Buffer.from('\t_thruflux')

/** False for a packet that is nobody's question for shares and no announcement of any, without decoding it. */
export const mayConcernShares = (bytes: Buffer): boolean =>
  bytes.length <= maxPacketBytes && bytes.includes(serviceLabel)

/** Asks who shares. */
export const question: Packet = {
  type: 'query',
  questions: [{ name: serviceType, type: 'PTR' }],
}

/** True for a packet that asks so. */
export const asksForShares = ({ type, questions = [] }: Packet): boolean =>
  type === 'query' &&
  questions
    .slice(0, maxQuestions)
    .some(({ name, type: what }) => what === 'PTR' && name.toLowerCase() === serviceType)

/** Questions in one packet that are looked at. */
const maxQuestions = 16

/** The records of one announcement on one interface; they end at once where `isOver`. */
export function recordsOf(
  { instance, port, salt, hash }: Announcement,
  { family, address }: NearAddress,
  isOver: boolean,
): readonly Answer[] {
  const name = `${instance}.${serviceType}`
  const target = `${instance}.local`
  const ttl = isOver ? 0 : ttlS
  const flush = true
  return [
    { name: serviceType, type: 'PTR', ttl, data: name },
    { name, type: 'SRV', ttl, flush, data: { port, target } },
    { name, type: 'TXT', ttl, flush, data: [`v=${version}`, `s=${salt}`, `h=${hash}`] },
    {
      name: target,
      type: family === 4 ? 'A' : 'AAAA',
      ttl,
      flush,
      data: address.replace(/%.*/, ''),
    },
  ]
}

/** Records in one packet that are looked at: far more than ours have. */
const maxRecords = 64

/** Texts of one TXT record, and the length of each, that are looked at. */
const maxTexts = 8
const maxTextLength = 64

/** Below are services of the system, none of which we connect to. */
const lowestPort = 1024

/** The announcements in a packet, whoever sent it. */
export function announcementsIn({
  type,
  answers = [],
  additionals = [],
}: Packet): readonly Announcement[] {
  if (type !== 'response') return []
  const records = [...answers, ...additionals].slice(0, maxRecords)
  const found: Announcement[] = []
  for (const record of records) {
    if (record.type !== 'SRV' || record.ttl === 0) continue
    const instance = instanceOf(record.name)
    const { port } = record.data
    const text = records.find((other) => other.type === 'TXT' && other.name === record.name)
    if (instance === null || text?.type !== 'TXT' || port < lowestPort) continue
    const { v, s = '', h = '' } = textsOf(text.data)
    if (v === version && isHex16(s) && isHex16(h)) found.push({ instance, port, salt: s, hash: h })
  }
  return found
}

const isHex16 = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

function instanceOf(name: string): string | null {
  const [instance = '', ...rest] = name.toLowerCase().split('.')
  return isHex16(instance) && rest.join('.') === serviceType ? instance : null
}

/** `key=value` texts by their keys. */
function textsOf(data: unknown): Readonly<Record<string, string | undefined>> {
  const texts: readonly unknown[] = Array.isArray(data) ? data.slice(0, maxTexts) : [data]
  return Object.fromEntries(
    texts.flatMap((text) => {
      if (!Buffer.isBuffer(text) || text.length > maxTextLength) return []
      const [, key = '', value = ''] = /^([a-z])=([\x21-\x7e]*)$/.exec(text.toString()) ?? []
      return [[key, value]]
    }),
  )
}
