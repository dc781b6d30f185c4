/** `thru contacts` lists and changes contacts, and what is saved from them without asking. */
import { resolve } from 'node:path'
import type { Client } from '#client/client'
import { contactsFormat } from '#client/contacts/contact-file'
import { LocalServer } from '#client/signaling/local-server'
import { stateDirectory } from '#client/state/state-directory'
import { StateFile } from '#client/state/state-file'
import { type AppError, appError } from '#shared/errors'
import { parseSize } from '#shared/format/parse-size'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { findGroup, groupNames } from '#shared/state/contact-groups'
import {
  autoAcceptBytes,
  type Contact,
  type ContactId,
  contactNameSchema,
  findContact,
  groupsSchema,
} from '#shared/state/contacts'
import type { StorageError } from '#shared/state/storage-error'
import { type NetworkOptions, withClient } from '../compose-client'
import { type ExitCode, exitCodes } from '../exit-codes'
import { contactLine } from '../report/contact-text'
import { jsonText } from '../report/json-reporter'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** Options of `contacts` and its subcommands. */
export type ContactsOptions = { readonly json?: boolean }

export type ContactsCall =
  | { readonly kind: 'list' }
  | { readonly kind: 'rename'; readonly name: string; readonly newName: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'groups'; readonly name: string; readonly groups: readonly string[] }
  /** `directory` is a folder, or `off`. */
  | {
      readonly kind: 'auto'
      readonly name: string
      readonly directory: string
      /** Larger offers need a person's answer. */
      readonly most: string | undefined
    }

/** Runs `thru contacts`: does what `call` says, then prints one line per contact. */
export function contacts(
  call: ContactsCall,
  { json }: ContactsOptions,
  reporter: Reporter,
  terminal: Terminal,
): Promise<ExitCode> {
  const options: NetworkOptions = {}
  return withClient(options, reporter, async (client) => {
    const done = await answer(client, call)
    if (!done.ok) return done
    for (const line of listLines(client.snapshot().state.contacts, json === true)) {
      terminal.out(line)
    }
    return ok(exitCodes.complete)
  })
}

/** The contacts of this account. */
export const storedContacts = (onError: (error: StorageError) => void): readonly Contact[] =>
  new StateFile({ directory: stateDirectory(), format: contactsFormat, onError }).read().contacts

/**
 * Contacts that receive a share, and their server: `undefined` for this computer's own. `others` are names of no
 * contact, perhaps of nearby computers.
 */
export type Addressees = {
  readonly ids: readonly ContactId[]
  readonly others: readonly string[]
  readonly serverUrl: string | undefined
}

/**
 * The contacts with these names, and the server that they all use, or `serverUrl` if a person chose
 * one. Error: `E_BAD_ARGUMENT` for contacts on different servers.
 */
export function addresseesOf(
  contacts: readonly Contact[],
  names: readonly string[],
  serverUrl: string | undefined,
): Result<Addressees, AppError> {
  const found = names.flatMap((name) => findContact(contacts, name) ?? [])
  const others = names.filter((name) => findContact(contacts, name) === undefined)
  const ids = found.map(({ id }) => id)
  const [server, ...more] = new Set(found.map((one) => one.server))
  if (serverUrl !== undefined || server === undefined) return ok({ ids, others, serverUrl })
  if (more.length > 0) return err(appError('E_BAD_ARGUMENT', text.argument.contactsApart))
  const isLocal = server === new LocalServer().url
  return ok({ ids, others, serverUrl: isLocal ? undefined : server })
}

/** The names of people, with those of the members in place of each group's. A contact precedes a group. */
export function withMembers(
  contacts: readonly Contact[],
  names: readonly string[],
): readonly string[] {
  const all = names.flatMap((name) => {
    const group = findContact(contacts, name) === undefined ? findGroup(contacts, name) : undefined
    return group === undefined ? [name] : group.members.map((member) => member.name)
  })
  return [...new Set(all)]
}

function contactNamed(contacts: readonly Contact[], name: string): Result<Contact, AppError> {
  const contact = findContact(contacts, name)
  return contact === undefined
    ? err(appError('E_BAD_ARGUMENT', text.argument.unknownContact(visibleText(name)), name))
    : ok(contact)
}

async function answer(client: Client, call: ContactsCall): Promise<Result<null, AppError>> {
  if (call.kind === 'list') return ok(null)
  const contact = contactNamed(client.snapshot().state.contacts, call.name)
  if (!contact.ok) return contact
  const { id } = contact.value
  switch (call.kind) {
    case 'rename':
      return contactNameSchema.safeParse(call.newName).success
        ? client.contacts.rename(id, call.newName)
        : err(appError('E_BAD_ARGUMENT', text.argument.contactName, call.newName))
    case 'remove':
      return client.contacts.remove(id)
    case 'groups': {
      const known = client.snapshot().state.contacts
      const groups = call.groups.flatMap((group) => groupNames(group, known))
      return groupsSchema.safeParse(groups).success
        ? client.contacts.setGroups(id, [...new Set(groups)])
        : err(appError('E_BAD_ARGUMENT', text.argument.groups, 'group'))
    }
    default: {
      const most = call.most === undefined ? ok(autoAcceptBytes) : parseSize(call.most)
      if (!most.ok) {
        const given = visibleText((call.most ?? '').slice(0, 100))
        return err(appError('E_BAD_ARGUMENT', text.argument.size('--max', given), '--max'))
      }
      if (call.directory === '') {
        return err(appError('E_BAD_ARGUMENT', text.argument.emptyPath, 'folder'))
      }
      return client.contacts.setAutoAccept(
        id,
        call.directory === 'off'
          ? null
          : { directory: resolve(call.directory), maxBytes: most.value },
      )
    }
  }
}

const listLines = (all: readonly Contact[], isJson: boolean): readonly string[] => {
  if (isJson) return all.map((contact) => jsonText({ type: 'contact', ...contact }))
  const nowMs = Date.now()
  return all.length === 0 ? [text.contact.none] : all.map((one) => contactLine(one, nowMs))
}
