/** The Korean texts that window and dialogs share. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { badArguments, badCodes, badWords, causes, errors } from './errors'
import { findings } from './findings'
import { labels } from './labels'
import { peerTexts } from './peers'
import { relayReasons } from './relay-reasons'

export const korean: Translation<SharedText> = {
  ...labels,
  ...peerTexts,
  errors,
  badCodes,
  badWords,
  badArguments,
  causes,
  findings,
  relayReasons,
}
