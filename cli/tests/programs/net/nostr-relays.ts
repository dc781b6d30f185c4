/** Nostr relays of two other projects on a test's internet, with certificates at the port that firewalls allow. */
import { fileURLToPath } from 'node:url'
import { fetchedNostrRelay } from '../../../../scripts/deps/nostr-relay.mjs'
import { Thru } from '../thru'
import type { Authority } from './authority'
import { namedRelayAddress, type Network, serverAddress } from './network'

/** Their projects: one in Node, one in Rust. */
export const relayKinds = ['nostr-relay', 'rust-nostr'] as const

export type RelayKind = (typeof relayKinds)[number]

const addresses = { 'nostr-relay': serverAddress, 'rust-nostr': namedRelayAddress } as const
const port = 443
/** The port of a relay behind a program that ends TLS. */
const plainPort = 7777

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The reason to skip tests of this relay; `null` to run them. */
export const missingRelay = (kind: RelayKind): string | null =>
  kind === 'nostr-relay' || fetchedNostrRelay() !== null
    ? null
    : 'the Python package nostr-sdk was not fetched (npm run bootstrap)'

/** Starts a relay, which ends with the network; resolves with its address. */
export async function startRelay(
  network: Network,
  authority: Authority,
  kind: RelayKind,
): Promise<string> {
  const address = addresses[kind]
  const { certificate, key } = authority.issue(`IP:${address}`)
  const run = async (within: readonly string[], ...program: readonly string[]): Promise<void> => {
    await new Thru([], { within: [...network.within('internet'), ...within], program }).match(
      /wss?:/,
    )
  }
  const tls = [address, String(port), certificate, key]
  if (kind === 'nostr-relay') await run([], process.execPath, file('../nostr-relay.mjs'), ...tls)
  else {
    const modules = ['env', `PYTHONPATH=${fetchedNostrRelay() ?? ''}`]
    await run(modules, 'python3', file('../nostr-relay.py'), String(plainPort))
    await run([], process.execPath, file('tls-front.mjs'), ...tls, String(plainPort))
  }
  return `wss://${address}`
}
