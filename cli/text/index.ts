/**
 * Every sentence of the command, in one object: whole sentences with named parameters and plural
 * forms, so that a translation is another object of the same shape. Errors that the window has, too,
 * are in `shared/describe-error.ts`.
 */
import { argumentText } from './arguments'
import { commandText, helpText } from './commands'
import { configText } from './config'
import { contactText } from './contacts'
import { doctorText } from './doctor'
import { exitCodeText } from './exit-codes'
import { historyText } from './history'
import { optionText } from './options'
import { promptText } from './prompts'
import {
  localNetworkText,
  receiveText,
  remedies,
  separator,
  serverText,
  shareText,
  transferText,
  verboseText,
} from './transfers'

export const text = {
  separator,
  remedies,
  command: commandText,
  help: helpText,
  option: optionText,
  argument: argumentText,
  prompt: promptText,
  transfer: transferText,
  verbose: verboseText,
  /** What the system shows for a computer that is kept awake. */
  awake: { why: 'Files are being transferred' },
  share: shareText,
  receive: receiveText,
  config: configText,
  contact: contactText,
  history: historyText,
  doctor: doctorText,
  server: serverText,
  localNetwork: localNetworkText,
  exitCode: exitCodeText,
  updates: {
    available: (found: string, version: string) =>
      `Thruflux ${found} is available; this is ${version}. Install it the way you installed this one.`,
  },
} as const
