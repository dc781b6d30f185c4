/** Stations that are contacts of each other, as if paired before. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientOptions } from '#client/client-options'
import type { StoredContacts } from '#client/contacts/contact-file'
import { fakeKey } from '#client/testing/fake-engine'
import type { AutoAccept, ContactId } from '#shared/state/contacts'
import { Rig, type Station } from './rig'

/** The id of a contact with this name. */
export const contactId = (name: string): ContactId =>
  createHash('sha256').update(name).digest('hex').slice(0, 32) as ContactId

const ownKey = (name: string) => ({
  secret: fakeKey(`secret-${name}`),
  publicKey: fakeKey(`public-${name}`),
})

export const sharedKey = (a: string, b: string): string => fakeKey(`key-${[a, b].sort().join('-')}`)

/** Secrets that must stay in `contacts.json` and in the engine. */
export const secretPart = /secret-|key-/

export type PersonOptions = {
  readonly contacts?: readonly string[]
  readonly autoAccept?: AutoAccept
  /** The contacts' server; the rig's own by default. */
  readonly server?: string
} & Partial<ClientOptions>

/** A rig whose stations belong to named people. */
export class ContactRig extends Rig {
  readonly folder = mkdtempSync(join(tmpdir(), 'thru-contacts-'))
  readonly file = join(this.folder, 'video.mp4')
  #people = 0

  constructor() {
    super()
    writeFileSync(this.file, 'x')
  }

  /** Starts a station with these contacts in its file. */
  person(name: string, { contacts, autoAccept, server, ...options }: PersonOptions = {}): Station {
    this.#people += 1
    const stateDir = join(this.folder, `${this.#people}-${name}`)
    mkdirSync(stateDir, { mode: 0o700 })
    if (contacts !== undefined) {
      const stored: StoredContacts = {
        own: ownKey(name),
        contacts: contacts.map((other) => ({
          ...{ id: contactId(other), name: other, server: server ?? `${this.url}/v1` },
          ...{ addedMs: 1, lastSeenMs: null, autoAccept: autoAccept ?? null },
          ...{ publicKey: ownKey(other).publicKey, key: sharedKey(name, other) },
        })),
        former: [],
      }
      const text = JSON.stringify({ version: 1, ...stored })
      writeFileSync(join(stateDir, 'contacts.json'), text, { mode: 0o600 })
    }
    const station = this.station({ name, stateDir, reachable: true, ...options })
    station.engine.newContactKey = () => ownKey(name)
    return station
  }

  send({ client }: Station, ...to: readonly string[]) {
    const items = [{ kind: 'path', path: this.file }] as const
    const share = client.openShare({ items, to: to.map(contactId) })
    if (!share.ok) throw new Error(share.error.detail)
    return share.value
  }

  override async end(): Promise<void> {
    await super.end()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The content of a station's file. */
export const storedBy = ({ stateDir }: Station): StoredContacts & { readonly version: number } =>
  JSON.parse(readFileSync(join(stateDir, 'contacts.json'), 'utf8')) as never
