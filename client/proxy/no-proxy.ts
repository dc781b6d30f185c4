/** `NO_PROXY`: hosts that no proxy is used for, in the form that curl and others understand. */
import { BlockList, isIP } from 'node:net'

/** More are in no list that a person wrote. */
const maxExceptions = 1000

/**
 * Whether a list names this place: `*`, a host with those below it (`example.org`, `.example.org`,
 * `*.example.org`), an address or a subnet (`10.0.0.0/8`), any but the subnet also with `:port`.
 */
export function isExcepted(host: string, port: number, list: string): boolean {
  return list
    .split(/[\s,]+/, maxExceptions)
    .some((exception) => exception !== '' && covers(exception.toLowerCase(), host, port))
}

function covers(exception: string, host: string, port: number): boolean {
  if (exception === '*') return true
  const [, bracketed, plain = exception, only] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(exception) ?? []
  if (only !== undefined && Number(only) !== port) return false
  const name = bracketed ?? plain
  if (isIP(host) !== 0) return coversAddress(name, host)
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  const own = host.toLowerCase().replace(/\.$/, '')
  return domain !== '' && (own === domain || own.endsWith(`.${domain}`))
}

function coversAddress(written: string, host: string): boolean {
  const [address = '', bits = ''] = written.split('/')
  const version = isIP(address)
  if (version === 0 || version !== isIP(host)) return false
  const longest = version === 4 ? 32 : 128
  const prefix = bits === '' ? longest : Number(bits)
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > longest) return false
  const subnet = new BlockList()
  const family = version === 4 ? 'ipv4' : 'ipv6'
  subnet.addSubnet(address, prefix, family)
  return subnet.check(host, family)
}
