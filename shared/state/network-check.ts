/** Findings of network checks, as data; `describe-finding.ts` has the sentences. */

/** `unknown`: it can't be checked, or nothing to check is configured. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'unknown'

type Nothing = Readonly<Record<string, never>>
type OfProxy = { readonly proxy: string; readonly detail: string }
type OfServer = { readonly server: string; readonly detail: string }
type OfIce = { readonly server: string }
type Sizes = { readonly receive: number; readonly send: number; readonly wanted: number }

/**
 * The port mapping of a NAT (RFC 4787, section 4.1). `destination`: by address or by port, which of the two is unknown.
 */
export type Mapping = 'none' | 'endpoint' | 'address' | 'port' | 'destination' | 'unknown'

/** The filtering of a NAT or firewall (RFC 4787, section 5). */
export type Filtering = 'endpoint' | 'address' | 'port' | 'unknown'

/** The possible findings of each check, in display order, with their facts. */
type Facts = {
  readonly engine: { readonly works: Nothing; readonly broken: { readonly detail: string } }
  readonly settings: { readonly fine: Nothing; readonly broken: { readonly detail: string } }
  readonly addresses: {
    readonly both: Nothing
    readonly four: Nothing
    readonly six: Nothing
    readonly none: Nothing
  }
  readonly proxy: {
    readonly none: Nothing
    readonly works: { readonly proxy: string }
    readonly unreachable: OfProxy
    readonly password: OfProxy
    readonly refused: OfProxy
  }
  readonly server: {
    readonly none: Nothing
    readonly ready: OfServer
    /** Its address belongs to a local network. */
    readonly near: OfServer
    /** Its address belongs to this computer alone. */
    readonly own: OfServer
    readonly insecure: OfServer
    readonly unreachable: OfServer
    readonly untrusted: OfServer
    readonly password: OfServer
    readonly other: OfServer
    readonly behind: OfServer
    readonly malformed: { readonly detail: string }
  }
  /** Public meeting points. */
  readonly meeting: {
    readonly off: Nothing
    readonly ready: { readonly ready: number; readonly wanted: number }
    readonly refused: { readonly server: string; readonly detail: string }
    readonly unreachable: { readonly detail: string }
  }
  /** A round trip to the signaling server. */
  readonly latency: {
    readonly short: { readonly ms: number }
    readonly long: { readonly ms: number }
  }
  /** The TCP by which a server with a page passes data on to browsers. */
  readonly congestion: {
    readonly bbr: Nothing
    readonly other: { readonly control: string }
  }
  readonly clock: { readonly right: Nothing; readonly off: { readonly seconds: number } }
  readonly udp: { readonly out: Nothing; readonly blocked: Nothing; readonly unknown: Nothing }
  readonly stun: {
    readonly answers: OfIce & { readonly ms: number }
    /** It answers over only one family, although it and this computer have addresses of both. */
    readonly half: OfIce & { readonly ms: number; readonly family: 4 | 6 }
    readonly silent: OfIce
    readonly nameless: OfIce
  }
  readonly nat: {
    readonly none: { readonly filtering: Filtering }
    readonly easy: { readonly filtering: Filtering }
    readonly hard: { readonly mapping: Mapping; readonly filtering: Filtering }
    readonly unknown: Nothing
  }
  readonly ipv6: {
    readonly works: { readonly filtering: Filtering }
    readonly broken: Nothing
    readonly none: Nothing
    readonly unknown: Nothing
  }
  readonly relay: {
    readonly none: Nothing
    readonly works: OfIce & { readonly ms: number; readonly transport: string }
    /** Bytes that passed through it in a second. */
    readonly fast: OfIce & { readonly transport: string; readonly bytesPerSecond: number }
    readonly password: OfIce
    readonly full: OfIce
    readonly refused: OfIce & { readonly detail: string }
    readonly silent: OfIce & { readonly transport: string; readonly detail: string }
    readonly nameless: OfIce
  }
  readonly mapping: {
    readonly found: { readonly protocols: readonly string[] }
    /** The router itself has no internet address. */
    readonly nested: { readonly protocols: readonly string[] }
    readonly none: Nothing
    readonly gateless: Nothing
  }
  /** The largest datagram that gets through, in bytes of UDP payload. */
  readonly mtu: {
    readonly full: { readonly bytes: number }
    readonly small: { readonly bytes: number }
    readonly tiny: { readonly bytes: number }
    readonly unknown: Nothing
  }
  readonly buffers: { readonly enough: Sizes; readonly small: Sizes; readonly unknown: Nothing }
  readonly firewall: {
    readonly none: Nothing
    readonly seen: { readonly names: readonly string[]; readonly allow: string }
    readonly unknown: Nothing
  }
  readonly lan: {
    readonly heard: Nothing
    readonly none: Nothing
    readonly off: Nothing
    readonly some: { readonly interfaces: readonly string[] }
    readonly blocked: Nothing
  }
}

/** The checks by name. */
export type CheckName = keyof Facts

/** The severity of each finding. */
const states: { readonly [N in CheckName]: { readonly [V in keyof Facts[N]]: CheckState } } = {
  engine: { works: 'ok', broken: 'failed' },
  settings: { fine: 'ok', broken: 'failed' },
  addresses: { both: 'ok', four: 'ok', six: 'ok', none: 'failed' },
  proxy: {
    none: 'unknown',
    works: 'ok',
    unreachable: 'failed',
    password: 'failed',
    refused: 'failed',
  },
  server: {
    none: 'warning',
    ready: 'ok',
    near: 'ok',
    own: 'ok',
    insecure: 'warning',
    unreachable: 'failed',
    untrusted: 'failed',
    password: 'failed',
    other: 'failed',
    behind: 'failed',
    malformed: 'failed',
  },
  meeting: { off: 'unknown', ready: 'ok', refused: 'warning', unreachable: 'warning' },
  latency: { short: 'ok', long: 'warning' },
  congestion: { bbr: 'ok', other: 'warning' },
  clock: { right: 'ok', off: 'warning' },
  udp: { out: 'ok', blocked: 'failed', unknown: 'unknown' },
  stun: { answers: 'ok', half: 'warning', silent: 'warning', nameless: 'warning' },
  nat: { none: 'ok', easy: 'ok', hard: 'warning', unknown: 'unknown' },
  ipv6: { works: 'ok', broken: 'warning', none: 'unknown', unknown: 'unknown' },
  relay: {
    none: 'unknown',
    works: 'ok',
    fast: 'ok',
    password: 'failed',
    full: 'warning',
    refused: 'warning',
    silent: 'warning',
    nameless: 'warning',
  },
  mapping: { found: 'ok', nested: 'unknown', none: 'unknown', gateless: 'unknown' },
  mtu: { full: 'ok', small: 'ok', tiny: 'failed', unknown: 'unknown' },
  buffers: { enough: 'ok', small: 'warning', unknown: 'unknown' },
  firewall: { none: 'ok', seen: 'unknown', unknown: 'unknown' },
  lan: { heard: 'ok', none: 'warning', off: 'unknown', some: 'warning', blocked: 'failed' },
}

/** The finding of one check. */
export type Finding = {
  readonly [N in CheckName]: {
    readonly [V in keyof Facts[N]]: {
      readonly name: N
      readonly verdict: V
      readonly state: CheckState
      readonly facts: Facts[N][V]
    }
  }[keyof Facts[N]]
}[CheckName]

/** The sentences for people: the finding, and what to do about it; `''` when there is nothing to do. */
export type Advice = { readonly what: string; readonly remedy: string }

/** The sentences of one language. */
export type FindingTexts = {
  readonly [N in CheckName]: {
    readonly [V in keyof Facts[N]]: (facts: Facts[N][V]) => Advice
  }
}

/** Makes a finding; its severity follows from its verdict. */
export const finding = <N extends CheckName, V extends keyof Facts[N]>(
  name: N,
  verdict: V,
  facts: Facts[N][V],
): Finding => ({ name, verdict, state: states[name][verdict], facts }) as unknown as Finding

/** The parts of a whole check; each runs separately and replies with its findings. */
export const checkParts = ['computer', 'server', 'internet', 'relays', 'router', 'network'] as const

/** One part of a check. */
export type CheckPart = (typeof checkParts)[number]

const names = Object.keys(states) as readonly CheckName[]

/** Sorts findings in display order. */
export const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))

/** The reach of this computer. */
export type Reach = 'everywhere' | 'network' | 'internet' | 'nowhere'

/** This computer's reach according to the findings of a whole check. */
export function reachOf(findings: readonly Finding[]): Reach {
  const has = (name: CheckName, states: readonly CheckState[]): boolean =>
    findings.some((one) => one.name === name && states.includes(one.state))
  const passes: readonly CheckState[] = ['ok', 'warning']
  if (!has('engine', passes) || !has('addresses', passes)) return 'nowhere'
  const isNear = has('lan', ['ok'])
  const server = findings.find(({ name, state }) => name === 'server' && passes.includes(state))
  const verdict = server?.verdict ?? 'none'
  const meets = has('meeting', ['ok'])
  if (meets || verdict === 'ready' || verdict === 'insecure')
    return isNear ? 'everywhere' : 'internet'
  if (isNear) return 'network'
  return verdict === 'near' ? 'internet' : 'nowhere'
}
