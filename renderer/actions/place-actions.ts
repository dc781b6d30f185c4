/** Navigation between places. */
import type { Place, SettingsPage } from '../places'
import { useUiStore } from '../store/ui-store'

export function openPlace(place: Place): void {
  useUiStore.setState({ place })
}

/** Opens a page of the settings from any place. */
export function openSettings(settingsPage: SettingsPage): void {
  useUiStore.setState({ place: 'settings', settingsPage })
}
