/** The question whether this computer may use public meeting points, before the first share or join that would. */
import { asksAboutMeeting } from '#shared/settings/server-choice'
import { bridge } from '../bridge'
import { useAppStore } from '../store/app-store'
import { useUiStore } from '../store/ui-store'

/** Resolves once the question is answered or closed, immediately if there is none. */
export function askAboutMeeting(): Promise<void> {
  const { state } = useAppStore.getState()
  if (state === null || !asksAboutMeeting(state.fixedServers, state.settings.network)) {
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    useUiStore.setState({ meetingAsked: resolve })
  })
}

/** Stores the answer; `null` to be asked again. */
export async function answerAboutMeeting(meeting: 'automatic' | 'never' | null): Promise<void> {
  const { meetingAsked } = useUiStore.getState()
  useUiStore.setState({ meetingAsked: null })
  if (meeting !== null) {
    const changed = await bridge.changeSettings({ network: { meeting } })
    if (!changed.ok) useUiStore.setState({ notice: changed.error })
  }
  meetingAsked?.()
}
