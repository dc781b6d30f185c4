import { describe, expect, it } from 'vitest'
import { findGroup, groupNames, groupsOf } from '#shared/state/contact-groups'
import { type Contact, type ContactId, groupsSchema } from '#shared/state/contacts'

const contact = (name: string, ...groups: readonly string[]): Contact => ({
  ...{ id: name as ContactId, name, server: 'wss://a/v1', addedMs: 1 },
  ...{ lastSeenMs: null, autoAccept: null, groups },
})
const all = [
  contact('Jonas', 'Work', 'family'),
  contact('Anna', 'Family'),
  { ...contact('Gone', 'Family', 'Old'), removedYou: true as const },
  contact('Sora'),
]

describe('groups', () => {
  it('are the contacts with their name, whatever its case; those that removed this side are in none', () => {
    const groups = groupsOf(all).map(({ name, members }) => [
      name,
      ...members.map((one) => one.name),
    ])
    expect(groups).toEqual([
      ['Family', 'Anna', 'Jonas'],
      ['Work', 'Jonas'],
    ])
    expect(findGroup(all, ' WORK ')?.members).toHaveLength(1)
    expect(findGroup(all, 'Old')).toBeUndefined()
  })

  it('are read from a line, each once and as known groups spell them', () => {
    expect(groupNames('work, Choir,, choir ,Family', all)).toEqual(['Work', 'Choir', 'Family'])
    expect(groupNames(' ', all)).toEqual([])
  })

  it('are at most eight for a contact, with short names without commas', () => {
    const many = Array.from({ length: 9 }, (_, index) => `g${index}`)
    expect(groupNames(many.join(','), all)).toHaveLength(8)
    expect(groupsSchema.safeParse(many).success).toBe(false)
    expect(groupsSchema.safeParse(['a,b']).success).toBe(false)
    expect(groupsSchema.safeParse(['x'.repeat(65)]).success).toBe(false)
    expect(groupsSchema.safeParse(many.slice(1)).success).toBe(true)
  })
})
