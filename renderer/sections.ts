/** The places of the window: it shows one at a time, and the top bar links to all of them. */
import { text } from './text'

/** In the order of the top bar, and of their keys. */
export const sections = ['transfers', 'history', 'contacts', 'settings'] as const

const appName = 'Thruflux'

export type Section = (typeof sections)[number]

/** The pages of the settings, in their order. */
export const settingsPages = [
  'general',
  'sharing',
  'receiving',
  'network',
  'contacts',
  'notifications',
  'appearance',
  'advanced',
  'about',
] as const

export type SettingsPage = (typeof settingsPages)[number]

/** The window's title, which tells people in system lists and screen readers where they are. */
export const titleOf = (section: Section): string =>
  section === 'transfers' ? appName : [sectionName(section), appName].join(text.separator)

/** The name of a place. */
export const sectionName = (section: Section): string => text.sections[section]
