/** A tunnel through a SOCKS 5 proxy (RFC 1928), with optional user and password (RFC 1929). */
import { connect, isIPv4, isIPv6, type Socket } from 'node:net'
import { err, ok, type Result } from '#shared/result'
import type { ProxyAddress } from '#shared/settings/proxy-url'
import type { HostPort } from './proxy-choice'
import type { TunnelFailure } from './tunnel-failure'

const version = 5
const noAuthentication = 0
const byPassword = 2
const passwordVersion = 1
const tunnel = 1
const kinds = { ipv4: 1, name: 3, ipv6: 4 } as const

/** The length field has one byte. */
const maxNameBytes = 255

/** The proxy's reply codes (RFC 1928, section 6). */
const replies = [
  'open',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'time to live expired',
  'command not supported',
  'address type not supported',
]

/** `signal` aborts the attempt. Errors: the reason for the failure, never with the password. */
export async function socks5Connect(
  proxy: ProxyAddress,
  to: HostPort,
  signal: AbortSignal,
): Promise<Result<Socket, TunnelFailure>> {
  const socket = connect({ host: proxy.host, port: proxy.port })
  const end = (): void => void socket.destroy()
  signal.addEventListener('abort', end)
  const opened = await converse(socket, proxy, to)
  signal.removeEventListener('abort', end)
  if (!opened.ok || signal.aborted) socket.destroy()
  return opened
}

async function converse(
  socket: Socket,
  { user, password }: ProxyAddress,
  to: HostPort,
): Promise<Result<Socket, TunnelFailure>> {
  const reader = new ExactReader(socket)
  try {
    if (Buffer.byteLength(to.host) > maxNameBytes) {
      return err({ code: 'E_PROXY_REFUSED', detail: 'a name that is too long' })
    }
    const methods = user === '' ? [noAuthentication] : [noAuthentication, byPassword]
    socket.write(Buffer.from([version, methods.length, ...methods]))
    const [spoken, method] = await reader.take(2)
    if (spoken !== version) return unreachable('not SOCKS 5')
    if (method === byPassword && user !== '') {
      const [one, other] = [Buffer.from(user), Buffer.from(password)]
      const said = [[passwordVersion, one.length], one, [other.length], other]
      socket.write(Buffer.concat(said.map((part) => Buffer.from(part))))
      const [, status] = await reader.take(2)
      if (status !== 0) return err({ code: 'E_PROXY_AUTH', detail: 'user or password refused' })
    } else if (method !== noAuthentication) {
      return err({ code: 'E_PROXY_AUTH', detail: 'no way to authenticate in common' })
    }
    socket.write(request(to))
    const [again, reply = 0, , kind = 0] = await reader.take(4)
    if (again !== version) return unreachable('not SOCKS 5')
    if (reply !== 0) {
      return err({ code: 'E_PROXY_REFUSED', detail: replies[reply] ?? `reply ${reply}` })
    }
    const length = await addressBytes(kind, reader)
    if (length === null) return unreachable('not SOCKS 5')
    await reader.take(length + 2)
    return ok(socket)
  } catch (reason) {
    return unreachable(reason instanceof Error ? reason.message : 'lost')
  } finally {
    reader.release()
  }
}

const unreachable = (detail: string) => err({ code: 'E_PROXY_UNREACHABLE', detail } as const)

/** Names are resolved by the proxy. */
function request({ host, port }: HostPort): Buffer {
  const place = isIPv4(host)
    ? [kinds.ipv4, ...host.split('.').map(Number)]
    : isIPv6(host)
      ? [kinds.ipv6, ...bytesOfIpv6(host)]
      : [kinds.name, Buffer.byteLength(host), ...Buffer.from(host)]
  return Buffer.from([version, tunnel, 0, ...place, port >> 8, port & 0xff])
}

/** Parses an IPv6 address in the form of URLs: at most one `::`, no dotted end. */
function bytesOfIpv6(host: string): readonly number[] {
  const [before = '', after] = host.split('::')
  const groups = (text: string | undefined): readonly number[] =>
    !text ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [start, end] = [groups(before), groups(after)]
  const gap = Array.from({ length: 8 - start.length - end.length }, () => 0)
  return [...start, ...gap, ...end].flatMap((group) => [group >> 8, group & 0xff])
}

/** The length of the unused address in the proxy's answer; `null` for an unknown type. */
async function addressBytes(kind: number, reader: ExactReader): Promise<number | null> {
  if (kind === kinds.ipv4) return 4
  if (kind === kinds.ipv6) return 16
  return kind === kinds.name ? ((await reader.take(1))[0] ?? 0) : null
}

/** Reads an exact number of bytes: later bytes belong to the tunnel's target. */
class ExactReader {
  readonly #socket: Socket
  #wake: () => void = () => undefined
  #lost: Error | null = null
  readonly #onReadable = (): void => this.#wake()
  readonly #onError = (reason: NodeJS.ErrnoException): void =>
    this.#lose(reason.code ?? reason.message)
  readonly #onEnd = (): void => this.#lose('closed')

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('readable', this.#onReadable)
    socket.on('error', this.#onError)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onEnd)
  }

  /** Rejects if the socket ends first. */
  async take(bytes: number): Promise<Buffer> {
    for (;;) {
      const taken = this.#socket.read(bytes) as Buffer | null
      if (taken !== null && taken.length === bytes) return taken
      if (this.#lost !== null) throw this.#lost
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Detaches from the socket, but keeps the error listener until the caller has one. */
  release(): void {
    this.#socket.off('readable', this.#onReadable)
    this.#socket.off('end', this.#onEnd)
    this.#socket.off('close', this.#onEnd)
  }

  #lose(why: string): void {
    this.#lost ??= new Error(why)
    this.#wake()
  }
}
