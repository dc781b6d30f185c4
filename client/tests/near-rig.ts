/** A local network in memory, and strangers there and at servers. */
import { onTestFinished } from 'vitest'
import type { Announcement } from '#client/lan/announcement'
import type { Browser, FoundServer, NearNetwork } from '#client/lan/local-network'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { fixedServer } from '#client/signaling/server-locator'
import { SignalingClient } from '#client/signaling/signaling-client'
import { ManualClock } from '#client/testing/manual-clock'
import { nameplateOf } from '#shared/code/join-code'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import { Journal } from './bare-server'

/** A test's local network around the embedded server at `url`, with its announcements and searches. */
export function fakeNetwork(url: string) {
  const announced = new Set<string>()
  const listeners = new Set<() => void>()
  let isVisible = true
  const searches: ((server: FoundServer) => void)[] = []
  const network: NearNetwork = {
    server: fixedServer(`${url}/v1`),
    get isVisible() {
      return isVisible
    },
    isThere: true,
    setVisible: (next) => {
      if (next === isVisible) return
      isVisible = next
      for (const listener of [...listeners]) listener()
    },
    onVisible: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    announce: (nameplate) => {
      announced.add(nameplate)
      return () => void announced.delete(nameplate)
    },
    search: (_nameplate, onFound) => {
      searches.push(onFound)
      return () => undefined
    },
    announceComputer: () => () => undefined,
    browse: () => () => undefined,
    resolve: () => () => undefined,
  }
  return { network, announced, searches }
}

/** An announced server at `url`. */
export const found = (url: string, instance: string): FoundServer => ({
  ...{ url: `${url}/v1`, embedded: true, instance },
})

/** Hosts `nameplate` at another server without ever answering; counts the receivers. */
export async function impostorAt(url: string, nameplate: string) {
  const owner = new NameplateOwner()
  const asked = new Journal<null>()
  let count = 0
  await new Promise<void>((resolve) => {
    const client = new SignalingClient({
      ...{ server: fixedServer(url), clock: new ManualClock(), random: () => 0.5 },
      hello: (greeting) => owner.claim(greeting, nameplate),
      onUp: () => resolve(),
      onDown: () => undefined,
      onMessage: ({ t }) => {
        if (t !== 'relay') return
        count += 1
        asked.add(null)
      },
    })
    onTestFinished(() => client.close())
    client.start()
  })
  return { once: () => asked.next(), count: () => count }
}

/** True if the server at `url` introduces a sender with this code. */
export function isKnownAt(url: string, code: string): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const client = new SignalingClient({
      ...{ server: fixedServer(url), clock: new ManualClock(), random: () => 0.5 },
      hello: () => ({ t: 'join', v: SIGNALING_VERSION, nameplate: nameplateOf(code) }),
      onUp: () => undefined,
      onDown: () => resolve(false),
      onMessage: ({ t }) => resolve(t === 'joined'),
    })
    onTestFinished(() => client.close())
    client.start()
  })
}

/** A network on which computers announce themselves and browse; all of them use the embedded server at `url`. */
export class Hall {
  readonly #url: string
  readonly #announced = new Map<string, Announcement>()
  readonly #browsers = new Set<Browser>()

  constructor(url: string) {
    this.#url = url
  }

  get texts(): readonly Announcement['texts'][] {
    return [...this.#announced.values()].map(({ texts }) => texts)
  }

  /** One computer's view of the network. */
  network(): NearNetwork {
    const { network } = fakeNetwork(this.#url)
    return Object.assign(network, {
      announceComputer: (instance: string, texts: Announcement['texts']) => {
        this.announce(instance, texts)
        return () => {
          if (!this.#announced.delete(instance)) return
          for (const { onWithdrawn } of [...this.#browsers]) onWithdrawn(instance)
        }
      },
      browse: (browser: Browser) => {
        this.#browsers.add(browser)
        for (const one of this.#announced.values()) this.#tell(browser, one)
        return () => void this.#browsers.delete(browser)
      },
    })
  }

  announce(instance: string, texts: Announcement['texts'], url = this.#url): void {
    const announcement = { instance, port: 41480, texts }
    this.#announced.set(instance, announcement)
    for (const browser of [...this.#browsers]) this.#tell(browser, announcement, url)
  }

  #tell(browser: Browser, announcement: Announcement, url = this.#url): void {
    browser.onAnnouncement(announcement, found(url, announcement.instance))
  }
}
