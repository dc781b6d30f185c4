/** Announcements of shares and computers on the local network, in records of DNS-SD (RFC 6763). */
import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Packet } from 'dns-packet'
import type { NearAddress } from '#client/lan/interfaces'

/** The service type that lists everything of all programs. */
export const serviceType = '_thruflux._tcp.local'

/** The version of the announcement's text; others are ignored. */
const version = '1'

/** The time for which others may cache the records, in seconds. */
const ttlS = 120

/**
 * A discoverable share, or a computer. The texts of a share are `s`, a salt, and `h`, a hash: only those who know the
 * nameplate recognize it. Those of a computer are in `client/nearby/computer-announcement.ts`.
 */
export type Announcement = {
  /** 16 random hexadecimal digits. */
  readonly instance: string
  /** The port of the signaling server, at the announcement's source address. */
  readonly port: number
  /** The texts by their keys, which are lower-case letters other than `v`. */
  readonly texts: Readonly<Record<string, string | undefined>>
}

/**
 * The first 64 bits of a SHA-256 hash. Nameplates are few and public: the hash prevents casual reading, but not trying
 * them all.
 */
const hashOf = (salt: string, nameplate: string): string =>
  createHash('sha256')
    .update(`thruflux nameplate 1 ${salt} ${nameplate}`)
    .digest('hex')
    .slice(0, 16)

/** Makes the announcement of a share. */
export function announce(nameplate: string, port: number): Announcement {
  const salt = randomBytes(8).toString('hex')
  return { instance: newInstance(), port, texts: { s: salt, h: hashOf(salt, nameplate) } }
}

/** The name of a new announcement, which reveals nothing. */
export const newInstance = (): string => randomBytes(8).toString('hex')

/** True if the announcement belongs to a share with this nameplate. */
export const isOf = ({ texts: { s, h } }: Announcement, nameplate: string): boolean =>
  s !== undefined && isHex16(s) && h === hashOf(s, nameplate)

/** The largest packet that fits any network, in bytes; ours are smaller. */
export const maxPacketBytes = 1500

/** The first label of `serviceType` with its length byte, as in every packet about it. */
const serviceLabel = Buffer.from('\t_thruflux')

/** False for a packet that surely neither asks for shares nor announces one, without decoding it. */
export const mayConcernShares = (bytes: Buffer): boolean =>
  bytes.length <= maxPacketBytes && bytes.includes(serviceLabel)

/** Asks for all shares. */
export const question: Packet = {
  type: 'query',
  questions: [{ name: serviceType, type: 'PTR' }],
}

/** True for a packet with that question. */
export const asksForShares = ({ type, questions = [] }: Packet): boolean =>
  type === 'query' &&
  questions
    .slice(0, maxQuestions)
    .some(({ name, type: what }) => what === 'PTR' && name.toLowerCase() === serviceType)

/** Limits the questions read from one packet. */
const maxQuestions = 16

/** The records of one announcement on one interface; if `isOver`, they expire immediately. */
export function recordsOf(
  { instance, port, texts }: Announcement,
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
    { name, type: 'TXT', ttl, flush, data: [`v=${version}`, ...textLines(texts)] },
    {
      name: target,
      type: family === 4 ? 'A' : 'AAAA',
      ttl,
      flush,
      data: address.replace(/%.*/, ''),
    },
  ]
}

const textLines = (texts: Announcement['texts']): readonly string[] =>
  Object.entries(texts).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))

/** Limits the records read from one packet: far more than ours have. */
const maxRecords = 64

/** Limits the texts read from one TXT record, and their length. */
const maxTexts = 8
const maxTextLength = 255

/** System services use lower ports, and we connect to none of them. */
const lowestPort = 1024

/** The announcements in a packet from any source. */
export function announcementsIn(packet: Packet): readonly Announcement[] {
  const records = recordsIn(packet)
  const found: Announcement[] = []
  for (const record of records) {
    if (record.type !== 'SRV' || record.ttl === 0) continue
    const instance = instanceOf(record.name)
    const { port } = record.data
    const text = records.find((other) => other.type === 'TXT' && other.name === record.name)
    if (instance === null || text?.type !== 'TXT' || port < lowestPort) continue
    const { v, ...texts } = textsOf(text.data)
    if (v === version) found.push({ instance, port, texts })
  }
  return found
}

/** The instances whose announcements a packet withdraws. */
export const withdrawnIn = (packet: Packet): readonly string[] =>
  recordsIn(packet).flatMap((record) => {
    const isOver = record.type === 'SRV' && record.ttl === 0
    return isOver ? (instanceOf(record.name) ?? []) : []
  })

const recordsIn = ({ type, answers = [], additionals = [] }: Packet): readonly Answer[] =>
  type === 'response' ? [...answers, ...additionals].slice(0, maxRecords) : []

const isHex16 = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

function instanceOf(name: string): string | null {
  const [instance = '', ...rest] = name.toLowerCase().split('.')
  return isHex16(instance) && rest.join('.') === serviceType ? instance : null
}

/** Maps `key=value` texts by key. */
function textsOf(data: unknown): Readonly<Record<string, string | undefined>> {
  const texts: readonly unknown[] = Array.isArray(data) ? data.slice(0, maxTexts) : [data]
  return Object.fromEntries(
    texts.flatMap((text) => {
      if (!Buffer.isBuffer(text) || text.length > maxTextLength) return []
      const [, key, value] = /^([a-z])=(\P{Cc}*)$/u.exec(utf8(text)) ?? []
      return key === undefined || value === undefined ? [] : [[key, value]]
    }),
  )
}

/** The text of bytes; empty if they are not UTF-8. */
function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}
