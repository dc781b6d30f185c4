/** Navigation between places. */
import type { Section, SettingsPage } from '../sections'
import { useUiStore } from '../store/ui-store'

export function openSection(section: Section): void {
  useUiStore.setState({ section })
}

/** Opens a page of the settings from any place. */
export function openSettings(settingsPage: SettingsPage): void {
  useUiStore.setState({ section: 'settings', settingsPage })
}
