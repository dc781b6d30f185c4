/** Applies settings that take effect immediately, not only when a session begins. */
import type { EngineCommand } from '#client/engine'
import type { SettingsSource } from '#client/settings/settings-store'
import type { NewEvent } from '#client/state/state-log'
import type { RelayUse } from '#shared/settings/relay-use'
import type { Settings } from '#shared/settings/settings'
import { withoutPasswords } from '#shared/settings/settings-secrets'
import type { Visibility } from '#shared/settings/visibility'
import type { SpeedLimits } from '#shared/state/app-state'
import type { StorageError } from '#shared/state/storage-error'
import type { TransportSizes } from '#shared/transport-sizes'

/** Engine commands that depend on settings. */
type EngineConfiguration = Extract<
  EngineCommand,
  { readonly type: 'set-transport' | 'set-qlog' | 'set-background' }
>

/** Effects of changed settings on a client. */
export type SettingsFollower = {
  readonly record: (event: NewEvent) => void
  readonly setVisibility: (visibility: Visibility) => void
  /** The current relay use: this start's option, or else the setting. */
  readonly relayUse: () => RelayUse
  readonly setLimits: (limits: SpeedLimits) => void
  /** Retries failed servers, because a password may have changed. */
  readonly tryAgain: () => void
  /** Posts an engine command that applies permanently. */
  readonly configure: (command: EngineConfiguration) => void
}

/**
 * The people that may find this computer on the local network. That reveals its address, which must stay hidden from the other side
 * if only relays are used.
 */
export const visibilityOf = ({ visible }: Settings['network'], relayUse: RelayUse): Visibility =>
  relayUse === 'only' ? 'off' : visible

/** True to map ports at routers. If only relays are used, this computer must not be reachable directly. */
export const mapsPorts = ({ portMapping }: Settings['network'], relayUse: RelayUse): boolean =>
  portMapping && relayUse !== 'only'

/** Applies the settings now and after each change. */
export function followSettings(source: SettingsSource, follower: SettingsFollower): void {
  let known = source.error
  if (known !== null) follower.record({ type: 'storage-failed', storageError: known })
  const follow = (error: StorageError | null): void => {
    if (error?.kind === known?.kind && error?.detail === known?.detail) return
    if (error !== null) follower.record({ type: 'storage-failed', storageError: error })
    else if (known !== null) follower.record({ type: 'storage-mended', file: known.file })
    known = error
  }
  let servers = JSON.stringify(source.settings.network.servers)
  let applied: SpeedLimits = { upload: 0, download: 0 }
  let sizes: TransportSizes = { connectionWindow: 0, socketBuffers: 0 }
  let qlog = ''
  let isBackground = false
  const apply = ({ network, advanced }: Settings): void => {
    const { qlogFolder, ...wantedSizes } = advanced
    if (JSON.stringify(wantedSizes) !== JSON.stringify(sizes)) {
      follower.configure({ type: 'set-transport', ...wantedSizes })
    }
    sizes = wantedSizes
    if (qlogFolder !== qlog) follower.configure({ type: 'set-qlog', directory: qlogFolder })
    qlog = qlogFolder
    if (network.background !== isBackground) {
      follower.configure({ type: 'set-background', enabled: network.background })
    }
    isBackground = network.background
    follower.setVisibility(visibilityOf(network, follower.relayUse()))
    const saidOfServers = JSON.stringify(network.servers)
    if (saidOfServers !== servers) follower.tryAgain()
    servers = saidOfServers
    const wanted = { upload: network.uploadLimit, download: network.downloadLimit }
    if (wanted.upload === applied.upload && wanted.download === applied.download) return
    applied = wanted
    follower.setLimits(wanted)
  }
  apply(source.settings)
  source.subscribe((settings) => {
    follow(source.error)
    follower.record({ type: 'settings-changed', settings: withoutPasswords(settings) })
    apply(settings)
  })
}
