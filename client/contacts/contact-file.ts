/**
 * Contacts with their keys, in the file `contacts.json`. What is secret leaves this computer's account
 * in no other way than into the engine: it is no part of the state, of logs or of any output.
 */
import * as z from 'zod'
import type { ContactKey, EngineContact } from '#client/engine'
import { decodeList, type StateFormat } from '#client/state/state-file'
import { keySchema } from '#shared/code/key-text'
import { limits } from '#shared/limits'
import { autoAcceptSchema, type Contact, contactSchema } from '#shared/state/contacts'

/** A contact with its keys. */
export type StoredContact = Contact & Pick<EngineContact, 'publicKey' | 'key'>

/** What the file holds: this installation's own key, made for the first contact, and the contacts. */
export type StoredContacts = {
  readonly own: ContactKey | null
  readonly contacts: readonly StoredContact[]
}

const ownSchema = z.object({ secret: keySchema, publicKey: keySchema })

const exact = contactSchema.extend({ publicKey: keySchema, key: keySchema })

/** With invalid limits nothing is accepted automatically: a person is asked. */
const forgiving = exact.extend({ autoAccept: autoAcceptSchema.catch(null) })

/** How the file is written and understood; an entry that makes no sense is left out alone. */
export const contactsFormat: StateFormat<StoredContacts> = {
  name: 'contacts.json',
  version: 1,
  // A full list whose names and folders are all as long as they may be.
  maxBytes: 16 * 1024 * 1024,
  empty: { own: null, contacts: [] },
  decode: ({ own, contacts }) => {
    const ownKey = ownSchema.safeParse(own)
    const list = decodeList(contacts, limits.contactsStored, exact, forgiving)
    return {
      value: { own: ownKey.data ?? null, contacts: list.value },
      isComplete: list.isComplete && (own === null || ownKey.success),
    }
  },
  encode: ({ own, contacts }) => ({ own, contacts }),
}
