/** `thru contacts`: who is kept, under which name, and what is received from them without asking. */
import { resolve } from 'node:path'
import { type NetworkOptions, withClient } from './compose-client'
import { contactText } from './contact-text'
import { exitCodes, type ExitCode } from './exit-codes'
import { jsonText } from './json-reporter'
import type { Reporter } from './reporter'
import type { Terminal } from './terminal'
import type { Client } from '#client/client'
import {
  autoAcceptBytes,
  type Contact,
  type ContactId,
  contactNameSchema,
  findContact,
} from '#shared/contacts'
import { type AppError, appError } from '#shared/errors'
import { parseSize } from '#shared/parse-size'
import { err, ok, type Result } from '#shared/result'

/** Of `host`. */
export type ToOptions = { readonly to: readonly string[] }

/** Of `contacts` and its parts. */
export type ContactsOptions = { readonly json?: boolean }

/** What is asked for. */
export type ContactsCall =
  | { readonly kind: 'list' }
  | { readonly kind: 'rename'; readonly name: string; readonly newName: string }
  | { readonly kind: 'remove'; readonly name: string }
  /** `directory` is a folder, or `off`. */
  | {
      readonly kind: 'auto'
      readonly name: string
      readonly directory: string
      /** Larger offers wait for a person. */
      readonly most: string | undefined
    }

/** `thru contacts`: one line for each contact after what was asked for is done. */
export function contacts(
  call: ContactsCall,
  { json }: ContactsOptions,
  reporter: Reporter,
  terminal: Terminal,
): Promise<ExitCode> {
  const options: NetworkOptions = { stunServer: [], turnServer: [] }
  return withClient(options, reporter, async (client) => {
    const done = await answer(client, call)
    if (!done.ok) return done
    for (const line of listLines(client.snapshot().state.contacts, json === true)) {
      terminal.out(line)
    }
    return ok(exitCodes.complete)
  })
}

/** The contacts with these names. Error: `E_BAD_ARGUMENT` for one that is not known. */
export function contactsNamed(
  client: Client,
  names: readonly string[],
): Result<readonly ContactId[], AppError> {
  const found: ContactId[] = []
  for (const name of names) {
    const contact = contactNamed(client, name)
    if (!contact.ok) return contact
    found.push(contact.value.id)
  }
  return ok(found)
}

function contactNamed(client: Client, name: string): Result<Contact, AppError> {
  const contact = findContact(client.snapshot().state.contacts, name)
  return contact === undefined
    ? err(appError('E_BAD_ARGUMENT', 'no contact has this name, see "thru contacts"', name))
    : ok(contact)
}

async function answer(client: Client, call: ContactsCall): Promise<Result<null, AppError>> {
  if (call.kind === 'list') return ok(null)
  const contact = contactNamed(client, call.name)
  if (!contact.ok) return contact
  const { id } = contact.value
  switch (call.kind) {
    case 'rename':
      return contactNameSchema.safeParse(call.newName).success
        ? client.contacts.rename(id, call.newName)
        : err(appError('E_BAD_ARGUMENT', 'a name has 1 to 64 bytes', call.newName))
    case 'remove':
      return client.contacts.remove(id)
    default: {
      const most = call.most === undefined ? ok(autoAcceptBytes) : parseSize(call.most)
      if (!most.ok) return most
      return client.contacts.setAutoAccept(
        id,
        call.directory === 'off'
          ? null
          : { directory: resolve(call.directory), mostBytes: most.value },
      )
    }
  }
}

const listLines = (all: readonly Contact[], isJson: boolean): readonly string[] => {
  if (isJson) return all.map((contact) => jsonText({ type: 'contact', ...contact }))
  return all.length === 0
    ? ['Nobody is kept. "--keep" with host or join offers to keep each other.']
    : all.map(contactText)
}
