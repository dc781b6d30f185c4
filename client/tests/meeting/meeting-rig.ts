/** Hosts and joiners at points in memory. */
import { MeetingClient, type MeetingSeams } from '#client/meeting/meeting-client'
import { dayOf, type Door, replyDoorOf } from '#client/meeting/meeting-door'
import { RefusedPoints } from '#client/meeting/meeting-points'
import { type MeetingMessage, openMessage } from '#client/meeting/messages'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import type { SignalingOptions } from '#client/signaling/signaling-client'
import { FakePoints } from '#client/testing/fake-points'
import { ManualClock } from '#client/testing/manual-clock'
import type { AppError } from '#shared/errors'
import { type ServerMessage, SIGNALING_VERSION } from '#shared/signaling/messages'

/** A door without its deliberate cost. */
export const cheapDoor = (nameplate: string, day: string): Door =>
  replyDoorOf({ topic: '', key: Buffer.alloc(32) }, `${nameplate} ${day}`)

/** Clocks, points and clients of one test. */
export class MeetingRig {
  readonly clock = new ManualClock()
  readonly points = new FakePoints(this.clock)
  readonly urls: string[]
  readonly doorOf = cheapDoor

  constructor(points = 3) {
    this.urls = Array.from({ length: points }, (_, index) => `wss://point${index}`)
  }

  /** The message in an event's content for the door of a nameplate today. */
  openAt(nameplate: string, content: string): MeetingMessage | null {
    return openMessage(cheapDoor(nameplate, dayOf(this.clock.now())), content)
  }

  get seams(): MeetingSeams {
    return {
      open: this.points.open,
      refused: new RefusedPoints(),
      ranked: () => this.urls,
      doorOf: (nameplate, day) => Promise.resolve(cheapDoor(nameplate, day)),
    }
  }

  /** Lets time pass in small steps, between which promises settle. */
  async pass(durationMs: number, stepMs = 10): Promise<void> {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= stepMs) {
      await new Promise((resolve) => setImmediate(resolve))
      this.clock.advance(Math.min(stepMs, leftMs))
    }
    await new Promise((resolve) => setImmediate(resolve))
  }

  host(nameplate: string, more: Partial<SignalingOptions> = {}) {
    const owner = new NameplateOwner()
    const share = {
      got: [] as ServerMessage[],
      errors: [] as AppError[],
      wish: nameplate,
      client: null as unknown as MeetingClient,
    }
    share.client = this.#client(share, {
      hello: (greeting) => owner.claim(greeting, share.wish),
      ...more,
    })
    return share
  }

  join(nameplate: string, body = 'hello', more: Partial<SignalingOptions> = {}) {
    const join = {
      got: [] as ServerMessage[],
      errors: [] as AppError[],
      client: null as unknown as MeetingClient,
    }
    join.client = this.#client(join, {
      joining: nameplate,
      hello: () => ({ t: 'join', v: SIGNALING_VERSION, nameplate, body }),
      ...more,
    })
    return join
  }

  #client(
    to: { readonly got: ServerMessage[]; readonly errors: AppError[] },
    more: Partial<SignalingOptions> & Pick<SignalingOptions, 'hello'>,
  ): MeetingClient {
    const client = new MeetingClient(
      {
        server: { url: '', locate: () => Promise.reject(new Error()), close: async () => {} },
        clock: this.clock,
        random: () => 0.5,
        onUp: () => undefined,
        onMessage: (message) => void to.got.push(message),
        onDown: (error) => void to.errors.push(error),
        ...more,
      },
      this.seams,
    )
    client.start()
    return client
  }
}

/** The bodies among messages, in order. */
export const bodiesOf = (messages: readonly ServerMessage[]): readonly string[] =>
  messages.flatMap((message) =>
    (message.t === 'relay' || message.t === 'peer') && message.body !== undefined
      ? [message.body]
      : [],
  )

/** The id of the other side, once it is known. */
export const peerOf = (messages: readonly ServerMessage[]): string => {
  const found = messages.find(({ t }) => t === 'peer' || t === 'joined')
  return found !== undefined && 'peer' in found ? (found.peer ?? '') : ''
}
