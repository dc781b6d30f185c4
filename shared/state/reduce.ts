/**
 * The only path from events to state. Pure and total: it reads no clock, and an event about anything unknown or already
 * ended changes nothing.
 */
import { without } from '#shared/bounded-list'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import type { AppState, ResumableReceive } from '#shared/state/app-state'
import { type Invitation, isSameInvitation, withInvitation } from '#shared/state/contacts'
import { withQuestion } from '#shared/state/nearby'
import { reduceReceives } from '#shared/state/reduce-receive'
import { reduceShares } from '#shared/state/reduce-share'

/** The state after `event`; the same object when nothing changed. */
export function reduce(state: AppState, event: AppEvent): AppState {
  switch (event.type) {
    case 'server-changed':
      return { ...state, server: event.server }
    case 'local-network-changed':
      return { ...state, localNetwork: event.localNetwork }
    case 'storage-failed': {
      const { storageError: error } = event
      const others = state.storage.filter(({ file }) => file !== error.file)
      return { ...state, storage: [...others, error] }
    }
    case 'storage-mended':
      return changed(
        state,
        'storage',
        without(state.storage, ({ file }) => file === event.file),
      )
    case 'history-changed':
      return { ...state, historyRevision: event.revision }
    case 'update-changed':
      return { ...state, update: event.update }
    case 'limits-changed':
      return { ...state, speedLimits: event.speedLimits }
    case 'settings-changed':
      return { ...state, settings: event.settings }
    case 'resumable-listed':
      return { ...state, resumableReceives: event.resumableReceives.slice(0, limits.resumableKept) }
    case 'resumable-recorded':
      return { ...state, resumableReceives: withResumable(state.resumableReceives, event.entry) }
    case 'resumable-removed': {
      const isMeant = ({ transfer }: ResumableReceive): boolean => transfer === event.transfer
      return changed(state, 'resumableReceives', without(state.resumableReceives, isMeant))
    }
    case 'contacts-changed':
      return { ...state, contacts: event.contacts.slice(0, limits.contactsStored) }
    case 'reachability-changed':
      return { ...state, reachability: event.reachability }
    case 'invitation-arrived':
      return { ...state, invitations: withInvitation(state.invitations, event.invitation) }
    case 'invitation-removed': {
      const isMeant = (one: Invitation): boolean => isSameInvitation(one, event)
      return changed(state, 'invitations', without(state.invitations, isMeant))
    }
    case 'nearby-changed':
      return { ...state, nearby: event.computers.slice(0, limits.nearbyComputers) }
    case 'nearby-asked':
      return { ...state, nearbyQuestions: withQuestion(state.nearbyQuestions, event.question) }
    case 'nearby-question-removed': {
      const left = without(state.nearbyQuestions, ({ id }) => id === event.id)
      return changed(state, 'nearbyQuestions', left)
    }
    default:
      return 'share' in event
        ? changed(state, 'shares', reduceShares(state.shares, event))
        : changed(state, 'receives', reduceReceives(state.receives, event))
  }
}

type Lists =
  'shares' | 'receives' | 'resumableReceives' | 'invitations' | 'nearbyQuestions' | 'storage'

const changed = <K extends Lists>(state: AppState, key: K, value: AppState[K]): AppState =>
  value === state[key] ? state : { ...state, [key]: value }

/** Puts `entry` first. The file of unfinished receives has the same bound. */
export const withResumable = (
  resumableReceives: readonly ResumableReceive[],
  entry: ResumableReceive,
): readonly ResumableReceive[] =>
  [entry, ...resumableReceives.filter(({ transfer }) => transfer !== entry.transfer)].slice(
    0,
    limits.resumableKept,
  )
