/** Going from place to place. */
import type { Place, SettingsPage } from '../places'
import { useUiStore } from '../store/ui-store'

export function openPlace(place: Place): void {
  useUiStore.setState({ place })
}

/** Opens a page of the settings, wherever the person is. */
export function openSettings(settingsPage: SettingsPage): void {
  useUiStore.setState({ place: 'settings', settingsPage })
}
