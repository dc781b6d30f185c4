/**
 * Contacts with their keys, in the file `contacts.json`. The secret keys go only to the engine:
 * they never appear in the state, in logs or in any output.
 */
import * as z from 'zod'
import type { ContactKey, EngineContact } from '#client/engine'
import { decodeList, type StateFormat } from '#client/state/state-file'
import { keySchema } from '#shared/code/key-text'
import { limits } from '#shared/limits'
import { autoAcceptSchema, type Contact, contactSchema } from '#shared/state/contacts'

/** A contact with its keys. */
export type StoredContact = Contact & Pick<EngineContact, 'publicKey' | 'key'>

/** The content of the file: this installation's own key, made for the first contact, and the contacts. */
export type StoredContacts = {
  readonly own: ContactKey | null
  readonly contacts: readonly StoredContact[]
}

const ownSchema = z.object({ secret: keySchema, publicKey: keySchema })

const exact = contactSchema.extend({ publicKey: keySchema, key: keySchema })

/** If the limits of an automatic acceptance are invalid, a person is asked instead. */
const forgiving = exact.extend({ autoAccept: autoAcceptSchema.catch(null) })

/** Reads and writes the file; one invalid entry does not affect the others. */
export const contactsFormat: StateFormat<StoredContacts> = {
  name: 'contacts.json',
  version: 1,
  // Room for a full list in which all names and folders have their maximum length.
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
