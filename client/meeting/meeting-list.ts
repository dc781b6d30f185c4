/** The public meeting points and STUN servers that ship with this copy of the program (resources/README.md). */
import list from '../../resources/meeting.json'

/** Addresses for computers without settings of their own. */
export type MeetingList = {
  readonly relays: readonly string[]
  /** Lines such as `stun:host:port`, the preferred ones first. */
  readonly stun: readonly string[]
}

/** The list of this copy. */
export const builtInMeetingList: MeetingList = list
