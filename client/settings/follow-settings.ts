/** Settings that count at once, and are not only asked for when something begins. */
import type { SettingsSource } from '#client/settings/settings-store'
import type { NewEvent } from '#client/state/state-log'
import type { SpeedLimits } from '#shared/app-state'
import type { Settings } from '#shared/settings'

/** What happens to a client when they change. */
export type SettingsFollower = {
  readonly record: (event: NewEvent) => void
  readonly setVisible: (visible: boolean) => void
  readonly setLimits: (limits: SpeedLimits) => void
}

/** Applies them now and after each change. */
export function followSettings(source: SettingsSource, follower: SettingsFollower): void {
  const { trouble } = source
  if (trouble !== null) follower.record({ type: 'storage-troubled', trouble })
  let applied: SpeedLimits = { upload: 0, download: 0 }
  const apply = ({ network }: Settings): void => {
    follower.setVisible(network.visible)
    const wanted = { upload: network.uploadLimit, download: network.downloadLimit }
    if (wanted.upload === applied.upload && wanted.download === applied.download) return
    applied = wanted
    follower.setLimits(wanted)
  }
  apply(source.settings)
  source.subscribe((settings) => {
    follower.record({ type: 'settings-changed', settings })
    apply(settings)
  })
}
