/** What people can do about the program itself. */
import type { News } from '#shared/update/news'
import { bridge } from '../bridge'
import { useUiStore } from '../store/ui-store'
import { noticeFailure } from './actions'
import { openSettings } from './place-actions'

/** Looks for an update now; what follows is in the state. */
export async function checkForUpdate(): Promise<void> {
  noticeFailure(await bridge.checkForUpdate(undefined))
}

/** Ends the app and starts the new version. */
export async function installUpdate(): Promise<void> {
  noticeFailure(await bridge.installUpdate(undefined))
}

/** What is new in this version; `null` when that can't be said. */
export async function news(): Promise<News | null> {
  const reply = await bridge.news(undefined)
  return reply.ok ? reply.value : null
}

/** Puts the note about the new version away. */
export function closeUpdateNote(): void {
  useUiStore.setState({ updated: null })
}

/** Opens what is new, which the note about the update is about. */
export function showNews(): void {
  useUiStore.setState({ updated: null, showsNews: true })
  openSettings('about')
}
