/** Options of clients without a server that meet at points in memory, on one clock. */
import { setImmediate } from 'node:timers/promises'
import type { ClientOptions } from '#client/client-options'
import { SettingsInMemory } from '#client/settings/settings-store'
import { LocalServer } from '#client/signaling/local-server'
import { FakePoints } from '#client/testing/fake-points'
import { ManualClock } from '#client/testing/manual-clock'
import { defaultSettings } from '#shared/settings/settings'
import { cheapDoor } from './meeting-rig'

/** Far more steps than any of these tests takes. */
const maxSteps = 3000

/** Turns of the event loop for each step, in which files are read. */
const turnsOfStep = 100

export class MeetingStations {
  readonly clock = new ManualClock()
  readonly points = new FakePoints(this.clock)
  readonly urls = ['wss://point0', 'wss://point1', 'wss://point2', 'wss://point3', 'wss://point4']
  /** The server that contacts without a server have in their files. */
  readonly embedded = new LocalServer(0).url

  /** The options of a client that may use the points. */
  get options(): Partial<ClientOptions> {
    const network = { ...defaultSettings.network, meeting: 'automatic' } as const
    return {
      serverUrl: null,
      localPort: 0,
      clock: this.clock,
      settings: new SettingsInMemory({ ...defaultSettings, network }),
      meetingList: { relays: this.urls, stun: [] },
      meetingSeams: {
        open: this.points.open,
        doorOf: (nameplate, day) => Promise.resolve(cheapDoor(nameplate, day)),
      },
    }
  }

  /** Lets time pass in small steps until there is a value. */
  async until<T>(find: () => T | null | undefined): Promise<T> {
    for (let step = 0; step < maxSteps; step += 1) {
      const found = find()
      if (found !== null && found !== undefined) return found
      for (let turn = 0; turn < turnsOfStep; turn += 1) await setImmediate()
      this.clock.advance(10)
    }
    throw new Error('it does not happen')
  }

  async pass(durationMs: number, stepMs = 10): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      await setImmediate()
      this.clock.advance(stepMs)
    }
  }
}
