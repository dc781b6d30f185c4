/** The places of the window: one is shown at a time, the top bar leads to all of them. */
import { text } from './text'

/** In the order of the top bar, and of the keys that lead there. */
export const places = ['transfers', 'history', 'settings', 'contacts'] as const

const appName = 'Thruflux'

export type Place = (typeof places)[number]

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

/** The window's title: in the lists of windows that systems and screen readers have, it says where people are. */
export const titleOf = (place: Place): string =>
  place === 'transfers' ? appName : [placeName(place), appName].join(text.separator)

/** What a place is called. */
export const placeName = (place: Place): string => text.places[place]
