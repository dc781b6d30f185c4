/**
 * Every text of the window, in one object by screen, shaped for translation: a text is a whole
 * sentence or label, a function where it has parameters, with plural forms where it counts. States
 * have their labels in `#shared/labels`, errors their sentences in `#shared/describe-error`.
 */
import { appText } from './app'
import { codeText } from './codes'
import { contactsText } from './contacts'
import { homeText } from './home'
import { previewText } from './preview'
import { receiveText } from './receive'
import { shareText } from './share'

export const text = {
  ...appText,
  ...homeText,
  ...codeText,
  ...shareText,
  ...receiveText,
  preview: previewText,
  contacts: contactsText,
} as const
