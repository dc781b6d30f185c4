/** Groups of contacts. A group has no entry of its own: it is the contacts that carry its name. Pure. */
import { limits } from '#shared/limits'
import { byName, type Contact, sameName } from '#shared/state/contacts'

/** Contacts that are sent files together. */
export type ContactGroup = { readonly name: string; readonly members: readonly Contact[] }

/** The groups, by name. Contacts that have removed this side are in none. */
export function groupsOf(contacts: readonly Contact[]): readonly ContactGroup[] {
  const groups = new Map<string, { name: string; members: Contact[] }>()
  for (const contact of [...contacts].sort(byName)) {
    if (contact.removedYou === true) continue
    for (const name of contact.groups ?? []) {
      const key = name.toLocaleLowerCase()
      const group = groups.get(key) ?? { name, members: [] }
      group.members.push(contact)
      groups.set(key, group)
    }
  }
  return [...groups.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** The group with a typed name, ignoring case. */
export const findGroup = (contacts: readonly Contact[], name: string): ContactGroup | undefined =>
  groupsOf(contacts).find((group) => sameName(group.name, name.trim()))

/** The group names in a line such as `Family, Work`, each once, as existing groups spell them. */
export function groupNames(line: string, contacts: readonly Contact[]): readonly string[] {
  const names = line.split(',').flatMap((part) => {
    const name = part.trim()
    return name === '' ? [] : [findGroup(contacts, name)?.name ?? name]
  })
  return names
    .filter((name, index) => names.findIndex((one) => sameName(one, name)) === index)
    .slice(0, limits.groupsPerContact)
}
