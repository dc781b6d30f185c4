/** The window's Korean texts: 해요체 in sentences, nouns in labels and on buttons. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
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
import { settingsText } from './settings'
import { shareText } from './share'
import { shortcutsText } from './shortcuts'
import { updatesText } from './updates'

export const korean: Translation<Catalogue> = {
  ...appText,
  ...homeText,
  ...codeText,
  ...shareText,
  ...receiveText,
  ...settingsText,
  ...licensesText,
  ...shortcutsText,
  ...fatalErrorText,
  connection: connectionText,
  files: filesText,
  graph: graphText,
  preview: previewText,
  contacts: contactsText,
  nearby: nearbyText,
  history: historyText,
  updates: updatesText,
}
