/**
 * All sentences of the command, with named parameters and plural forms. Errors that the window also
 * shows are in `shared/text/en/errors.ts`.
 */
import { argumentText } from './arguments'
import { commandText, helpText } from './commands'
import { configText } from './config'
import { contactText } from './contacts'
import { doctorText } from './doctor'
import { exitCodeText } from './exit-codes'
import { historyText } from './history'
import { nearbyText } from './nearby'
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
  /** The reason that the system shows for keeping the computer awake. */
  awake: { why: 'Files are being transferred' },
  share: shareText,
  receive: receiveText,
  config: configText,
  contact: contactText,
  nearby: nearbyText,
  history: historyText,
  doctor: doctorText,
  server: serverText,
  localNetwork: localNetworkText,
  exitCode: exitCodeText,
  updates: {
    available: (found: string, version: string) =>
      `Thruflux ${found} is available; you have ${version}. Install it the same way as this version.`,
  },
} as const
