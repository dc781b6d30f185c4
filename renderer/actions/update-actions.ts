/** People's actions on the program itself. */
import type { News } from '#shared/update/news'
import { bridge } from '../bridge'
import { useUiStore } from '../store/ui-store'
import { noticeFailure } from './actions'
import { openSettings } from './section-actions'

/** Checks for an update now; the state shows the result. */
export async function checkForUpdate(): Promise<void> {
  noticeFailure(await bridge.checkForUpdate(undefined))
}

/** Quits the app and starts the new version. */
export async function installUpdate(): Promise<void> {
  noticeFailure(await bridge.installUpdate(undefined))
}

/** The release notes of this version; `null` if they can't be read. */
export async function news(): Promise<News | null> {
  const reply = await bridge.news(undefined)
  return reply.ok ? reply.value : null
}

/** Closes the note about the new version. */
export function closeUpdateNote(): void {
  useUiStore.setState({ updated: null })
}

/** Opens the release notes from the note about the update. */
export function showNews(): void {
  useUiStore.setState({ updated: null, showsNews: true })
  openSettings('about')
}
