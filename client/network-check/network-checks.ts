/** Checks the network with a client's current settings, for its window. */
import type { EngineModule } from '#client/engine'
import { visibilityOf } from '#client/settings/follow-settings'
import type { SettingsSource } from '#client/settings/settings-store'
import type { UsedServer } from '#client/signaling/used-server'
import { ok } from '#shared/result'
import type { CheckPart, Finding } from '#shared/state/network-check'
import { checkNetworkPart, systemChecks } from './network-check'

/** Each client has one. */
export class NetworkChecks {
  readonly #used: UsedServer
  readonly #source: SettingsSource
  readonly #engine: EngineModule
  readonly #mayBeVisible: boolean
  readonly #running = new Map<CheckPart, Promise<readonly Finding[]>>()

  /** `mayBeVisible`: this start allows visibility on the local network, if the settings do, too. */
  constructor(
    used: UsedServer,
    source: SettingsSource,
    engine: EngineModule,
    mayBeVisible: boolean,
  ) {
    this.#used = used
    this.#source = source
    this.#engine = engine
    this.#mayBeVisible = mayBeVisible
  }

  /** Runs one part; calls during the run get the same findings. */
  check(part: CheckPart): Promise<readonly Finding[]> {
    const known = this.#running.get(part)
    if (known !== undefined) return known
    const { network, advanced } = this.#source.settings
    const choice = this.#used.choice()
    const used = {
      choice,
      proxyFor: this.#used.proxyFor,
      passwordFor: this.#used.access.passwordFor,
      meetingRelays: this.#used.meetingRelays(),
      isVisible: this.#mayBeVisible && visibilityOf(network, choice.relayUse) !== 'off',
      badSettings: null,
      socketBuffers: advanced.socketBuffers,
    }
    const begun = checkNetworkPart(
      part,
      used,
      systemChecks(() => ok(this.#engine)),
    ).finally(() => this.#running.delete(part))
    this.#running.set(part, begun)
    return begun
  }
}
