/** Texts about nearby computers. Pure: state in, words out. */
import { formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { AppState, Share } from '#shared/state/app-state'
import { groupsOf } from '#shared/state/contact-groups'
import type { NearbyCall, NearbyQuestion, Recipient } from '#shared/state/nearby'
import { text } from '../text'
import { peopleAtHome } from './contact-view'
import { type Sentence, sentence } from './sentence'
import { liveReceivers } from './share-view'

/** Someone who can be sent files without a code. */
export type Person = {
  readonly to: Recipient
  readonly name: string
  /** True if a computer of theirs is on this network. */
  readonly isNear: boolean
  /** The number of its members; absent unless it is a group. */
  readonly members?: number
}

/** More nearby computers than this don't fit on the home screen. */
const maxNearby = 12

/** More groups than this are on the page of contacts. */
const maxGroups = 6

/** Nearby computers, then groups, then contacts that are elsewhere, the latest seen first. */
export function people({
  contacts,
  nearby,
}: Pick<AppState, 'contacts' | 'nearby'>): readonly Person[] {
  const near = nearby.slice(0, maxNearby).map(({ id, name, contact }): Person => {
    const to: Recipient = contact === undefined ? { nearby: id } : { contact }
    return { to, name: visibleText(name), isNear: true }
  })
  const isNear = (id: string): boolean => nearby.some(({ contact }) => contact === id)
  const others = peopleAtHome(contacts)
    .filter(({ id }) => !isNear(id))
    .map(({ id, name }): Person => ({ to: { contact: id }, name, isNear: false }))
  const groups = groupsOf(contacts)
    .slice(0, maxGroups)
    .map(({ name, members }): Person => {
      return { to: { group: name }, name, isNear: false, members: members.length }
    })
  const seen = new Set<string>()
  // A contact may have several computers here.
  return [...near, ...groups, ...others].filter(({ to }) => {
    const key = JSON.stringify(to)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** Calls of a share that led to no connection yet. */
export const openCalls = ({ calls = [] }: Share): readonly NearbyCall[] =>
  calls.filter(({ phase }) => phase !== 'joining')

/** The state of a call, with the number to compare. */
export function callSentence({ phase, safety }: NearbyCall): Sentence {
  const words = text.nearby.calls[phase]
  const number = safety === null ? '' : text.nearby.number(formatSafety(safety))
  switch (phase) {
    case 'asked':
      return sentence(number, 'compared', [text.nearby.compare])
    case 'accepted':
      return sentence(number, 'compared', [words, text.nearby.compare])
    case 'confirmed':
      return sentence(words, 'accent', [number])
    case 'busy':
    case 'refused':
    case 'gone':
    case 'differs':
      return sentence(words, 'warning')
    default:
      return sentence(words)
  }
}

/** Six digits that two people compare, or have compared. */
export type Comparable = { readonly id: string; readonly name: string; readonly safety: string }

/**
 * The numbers of a share's receivers: those that were compared with nearby computers, and those of the other
 * connections. A nearby computer's connection has another number, which it doesn't show.
 */
export function comparables(share: Share): readonly Comparable[] {
  const called = (share.calls ?? []).flatMap(({ computer, name, phase, safety }) =>
    phase === 'joining' && safety !== null ? [{ id: computer, name, safety }] : [],
  )
  const others = liveReceivers(share).filter(
    ({ contact, ownName }) =>
      contact !== undefined ||
      (share.invitedOnly !== true && !called.some((one) => one.name === ownName)),
  )
  return [...called, ...others.map(({ peer, name, safety }) => ({ id: peer, name, safety }))]
}

/** The line below a nearby computer's question. */
export function questionSentence({ summary, safety, phase }: NearbyQuestion): Sentence {
  const number = text.nearby.number(formatSafety(safety))
  return phase === 'asking'
    ? sentence(number, 'compared', [text.nearby.compareHere, visibleText(summary)])
    : sentence(number, 'compared', [text.nearby.senderCompares])
}
