/**
 * Decodes UPnP's descriptions of a router: the search answer, and the document it links to (UDA
 * 1.1, IGD 1.0).
 */

/** The multicast group of all UPnP devices on a network. */
export const searchGroup = { host: '239.255.255.250', port: 1900 } as const

/** Routers of later versions answer this search, too. */
export const searchRequest: Buffer = Buffer.from(
  [
    'M-SEARCH * HTTP/1.1',
    `HOST: ${searchGroup.host}:${searchGroup.port}`,
    'MAN: "ssdp:discover"',
    'MX: 1',
    'ST: urn:schemas-upnp-org:device:InternetGatewayDevice:1',
    '\r\n',
  ].join('\r\n'),
)

const maxAnswerBytes = 2000
const maxServices = 2

/** Accepts only HTTP URLs of the router itself, because the answer chooses the target of later requests. */
function urlAt(gateway: string, text: string, base?: URL): URL | null {
  try {
    const url = new URL(text, base)
    const isRouter = url.protocol === 'http:' && url.hostname === gateway
    // A URL with a user name can make requests fail.
    return isRouter && url.username === '' && url.password === '' ? url : null
  } catch {
    return null
  }
}

/** The description's URL in a search answer; `null` if the answer is not from a router at `gateway`. */
export function decodeFound(answer: Buffer, gateway: string): URL | null {
  const text = answer.subarray(0, maxAnswerBytes).toString('latin1')
  const isRouter =
    /^HTTP\/1\.[01] 200 /i.test(text) &&
    /\r\nST:[ \t]*urn:[\w.-]+:device:InternetGatewayDevice:\d/i.test(text)
  const [, location] = /\r\nLOCATION:[ \t]*(\S+)/i.exec(text) ?? []
  return isRouter && location !== undefined ? urlAt(gateway, location) : null
}

/** A service that maps ports. */
export type ConnectionService = { readonly type: string; readonly control: URL }

/** Trims outside the expression: one that trims takes hours on a hostile router's input. */
const element = (name: string, xml: string): string | null =>
  new RegExp(`<${name}>([^<>]*)</${name}>`, 'i').exec(xml)?.[1]?.trim() ?? null

/** The text inside the element of this name; `null` if there is none. */
export const textOf = (name: string, xml: string): string | null => {
  const text = element(name, xml)
  return text === null ? null : text.replace(/&amp;/g, '&')
}

/** Services that map ports, at most two; the router may be connected by only one of them. */
export function decodeDescription(
  xml: string,
  location: URL,
  gateway: string,
): readonly ConnectionService[] {
  const base = urlAt(gateway, textOf('URLBase', xml) ?? '') ?? location
  const services = xml.split(/<service>/i).slice(1)
  return services
    .flatMap((service) => {
      const [own = ''] = service.split(/<\/service>/i)
      const type = textOf('serviceType', own) ?? ''
      const path = textOf('controlURL', own) ?? ''
      const control = path === '' ? null : urlAt(gateway, path, base)
      return /^urn:schemas-upnp-org:service:WAN(?:IP|PPP)Connection:\d$/.test(type) && control
        ? [{ type, control }]
        : []
    })
    .slice(0, maxServices)
}
