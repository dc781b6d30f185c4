/** `NO_PROXY`: hosts to connect to without a proxy, in the format of curl and others. */
import { BlockList, isIP } from 'node:net'

/** No person writes a longer list. */
const maxExceptions = 1000

/**
 * True if the list contains this place. An entry is `*`, a host with its subdomains (`example.org`, `.example.org`,
 * `*.example.org`), an address or a subnet (`10.0.0.0/8`). All but the subnet may have a `:port`.
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
