/** The sheet with the licenses of all components. */
import { bridge } from '../bridge'
import { useUiStore } from '../store/ui-store'
import { noticeFailure } from './actions'

/** Shows the sheet, or the error that prevents it. */
export async function openLicenses(): Promise<void> {
  const notices = await bridge.readNotices(undefined)
  noticeFailure(notices)
  if (notices.ok) useUiStore.setState({ licenses: notices.value })
}

export function closeLicenses(): void {
  useUiStore.setState({ licenses: null })
}
