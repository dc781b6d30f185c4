/** The English texts that window, dialogs and command share; the type of all others. */
import { badArguments, badCodes, badWords, causes, errors } from './errors'
import { findings } from './findings'
import {
  codeEnds,
  counted,
  ends,
  invitationsExpired,
  notes,
  reach,
  stalls,
  states,
  storage,
} from './labels'
import { leftOut, leftOutReasons } from './left-out'
import { peers, receiverEnds } from './peers'
import { relayReasons } from './relay-reasons'

export const english = {
  errors,
  badCodes,
  badWords,
  badArguments,
  causes,
  receiverEnds,
  peers,
  states,
  stalls,
  notes,
  codeEnds,
  invitationsExpired,
  counted,
  ends,
  reach,
  storage,
  leftOut,
  leftOutReasons,
  findings,
  relayReasons,
}
