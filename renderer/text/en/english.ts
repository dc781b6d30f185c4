/**
 * All English texts of the window, in one object by screen; the type of all others. A text is a whole sentence or
 * label, or a function of its parameters, with plural forms for counts. Labels of states and sentences about errors are
 * in `shared/text`.
 */
import { appText } from './app'
import { codeText } from './codes'
import { connectionText } from './connection'
import { contactsText } from './contacts'
import { fatalErrorText } from './fatal-error'
import { filesText } from './files'
import { graphText } from './graph'
import { historyText } from './history'
import { homeText } from './home'
import { licensesText } from './licenses'
import { nearbyText } from './nearby'
import { previewText } from './preview'
import { receiveText } from './receive'
import { sectionsText, settingsText } from './settings'
import { shareText } from './share'
import { shortcutsText } from './shortcuts'
import { updatesText } from './updates'

export const english = {
  ...appText,
  ...homeText,
  ...codeText,
  ...shareText,
  ...receiveText,
  ...licensesText,
  ...shortcutsText,
  connection: connectionText,
  files: filesText,
  graph: graphText,
  ...fatalErrorText,
  preview: previewText,
  contacts: contactsText,
  nearby: nearbyText,
  history: historyText,
  sections: sectionsText,
  settings: settingsText,
  updates: updatesText,
} as const
