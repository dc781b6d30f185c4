/** The sheet with the licenses of everything in the product. */
import { bridge } from '../bridge'
import { useUiStore } from '../store/ui-store'
import { noticeFailure } from './actions'

/** Shows it, or why it can't be shown. */
export async function openLicenses(): Promise<void> {
  const notices = await bridge.readNotices(undefined)
  noticeFailure(notices)
  if (notices.ok) useUiStore.setState({ licenses: notices.value })
}

/** Puts the sheet away. */
export function closeLicenses(): void {
  useUiStore.setState({ licenses: null })
}
