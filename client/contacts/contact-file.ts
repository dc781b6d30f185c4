/**
 * Contacts with their keys, in the file `contacts.json`. The secret keys go only to the engine:
 * they never appear in the state, in logs or in any output.
 */
import * as z from 'zod'
import type { ContactKey, EngineContact } from '#client/engine'
import { decodeList, type StateFormat } from '#client/state/state-file'
import { keySchema } from '#shared/code/key-text'
import { limits } from '#shared/limits'
import { autoAcceptSchema, type Contact, contactSchema, groupsSchema } from '#shared/state/contacts'

/** A contact with its keys. */
export type StoredContact = Contact & Pick<EngineContact, 'publicKey' | 'key'>

/** Someone who was removed from the contacts, and will learn it when they send; see `former-contacts.ts`. */
export type FormerContact = Pick<StoredContact, 'publicKey' | 'key' | 'server'> & {
  readonly removedMs: number
}

/** The content of the file: this installation's own key, made for the first contact, and present and former contacts. */
export type StoredContacts = {
  readonly own: ContactKey | null
  readonly contacts: readonly StoredContact[]
  readonly former: readonly FormerContact[]
}

const ownSchema = z.object({ secret: keySchema, publicKey: keySchema })

const exact = contactSchema.extend({ publicKey: keySchema, key: keySchema })

/** If the limits of an automatic acceptance are invalid, a person is asked instead. Invalid groups are left out. */
const forgiving = exact.extend({
  autoAccept: autoAcceptSchema.catch(null),
  groups: groupsSchema.optional().catch(undefined),
})

const former = exact
  .pick({ publicKey: true, key: true, server: true })
  .extend({ removedMs: z.number().min(0) })

/** Limits the former contacts; the oldest are forgotten first. */
export const maxFormer = 100

/** Reads and writes the file; one invalid entry does not affect the others. */
export const contactsFormat: StateFormat<StoredContacts> = {
  name: 'contacts.json',
  version: 1,
  // Room for a full list in which all names and folders have their maximum length.
  maxBytes: 16 * 1024 * 1024,
  empty: { own: null, contacts: [], former: [] },
  decode: ({ own, contacts, former: gone = [] }) => {
    const ownKey = ownSchema.safeParse(own)
    const list = decodeList(contacts, limits.contactsStored, exact, forgiving)
    const formerList = decodeList(gone, maxFormer, former)
    return {
      value: { own: ownKey.data ?? null, contacts: list.value, former: formerList.value },
      isComplete: list.isComplete && formerList.isComplete && (own === null || ownKey.success),
    }
  },
  encode: ({ own, contacts, former: gone }) => ({ own, contacts, former: gone }),
}
