/** UPnP's Internet Gateway Device, which maps ports on request (WANIPConnection 1 and 2, WANPPPConnection). */
import { randomInt } from 'node:crypto'
import * as http from 'node:http'
import { isIPv4 } from 'node:net'
import { leaseSeconds, type Mapping, type MappingProtocol, type RouterEndpoint } from './router'
import { askRouter } from './router-question'
import {
  type ConnectionService,
  decodeDescription,
  decodeFound,
  searchGroup,
  searchRequest,
  textOf,
} from './upnp-description'

const timeoutMs = 1500
const maxBytes = 64 * 1024

/** The external port is taken (WANIPConnection, section 2.4.16). */
const conflict = '718'
const maxTries = 3
/** Dynamic ports (RFC 6335, section 6). */
const dynamicPorts = { least: 49_152, end: 65_536 } as const

type Answer = { readonly status: number; readonly body: string }

/** Detects UPnP; `null` if the router does not support it or has no external address. */
export async function findUpnp(place: RouterEndpoint): Promise<MappingProtocol | null> {
  const { gateway } = place
  const location = await askRouter(place, {
    request: searchRequest,
    group: searchGroup,
    decode: (answer) => decodeFound(answer, gateway),
  })
  return location === null ? null : openUpnp(place, location)
}

/** Opens the router with the description at `location`. */
export async function openUpnp(
  place: RouterEndpoint,
  location: URL,
): Promise<MappingProtocol | null> {
  const description = await fetchFrom(place, location, 'GET')
  if (description?.status !== 200) return null
  for (const service of decodeDescription(description.body, location, place.gateway)) {
    const outside = await outsideOf(place, service)
    if (outside !== null) return new Upnp(place, service, outside)
  }
  return null
}

class Upnp implements MappingProtocol {
  readonly name = 'UPnP'
  readonly outside: string
  readonly #place: RouterEndpoint
  readonly #service: ConnectionService
  /** Sends one request at a time to this small web server. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(place: RouterEndpoint, service: ConnectionService, outside: string) {
    this.#place = place
    this.#service = service
    this.outside = outside
  }

  map(port: number, before: Mapping | null): Promise<Mapping | null> {
    return this.#next(() => this.#map(port, before?.port ?? null))
  }

  unmap(_port: number, mapping: Mapping): Promise<void> {
    return this.#next(() => this.#delete(mapping.port))
  }

  /** Requests a lease that expires; routers that support only permanent mappings (error 725) get none. */
  async #map(port: number, before: number | null): Promise<Mapping | null> {
    let wanted = before ?? port
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answer = await perform(this.#place, this.#service, 'AddPortMapping', {
        ...outsideOnly(wanted),
        NewInternalPort: port,
        NewInternalClient: this.#place.own,
        NewEnabled: 1,
        NewPortMappingDescription: 'Thruflux',
        NewLeaseDuration: leaseSeconds,
      })
      if (answer?.status === 200) {
        const address = await outsideOf(this.#place, this.#service)
        if (address !== null) return { address, port: wanted, lifetimeSeconds: leaseSeconds }
      }
      // The mapping may exist even without an answer. The earlier one is kept for the next attempt.
      const mayBeThere = answer === null || answer.status === 200
      if (mayBeThere && wanted !== before) await this.#delete(wanted)
      if (mayBeThere || textOf('errorCode', answer.body) !== conflict) return null
      wanted = randomInt(dynamicPorts.least, dynamicPorts.end)
    }
    return null
  }

  async #delete(outside: number): Promise<void> {
    await perform(this.#place, this.#service, 'DeletePortMapping', outsideOnly(outside))
  }

  #next<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run)
    this.#last = done
    return done
  }
}

const outsideOnly = (port: number) => ({
  NewRemoteHost: '',
  NewExternalPort: port,
  NewProtocol: 'UDP',
})

async function outsideOf(
  place: RouterEndpoint,
  service: ConnectionService,
): Promise<string | null> {
  const answer = await perform(place, service, 'GetExternalIPAddress', {})
  const address = answer?.status === 200 ? textOf('NewExternalIPAddress', answer.body) : null
  return address !== null && isIPv4(address) && address !== '0.0.0.0' ? address : null
}

/** Performs a SOAP action; `null` if there is no answer. */
function perform(
  place: RouterEndpoint,
  { type, control }: ConnectionService,
  action: string,
  values: Readonly<Record<string, string | number>>,
): Promise<Answer | null> {
  const written = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`)
  const body = [
    '<?xml version="1.0"?>',
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">',
    `<s:Body><u:${action} xmlns:u="${type}">${written.join('')}</u:${action}></s:Body>`,
    '</s:Envelope>',
  ].join('\r\n')
  const headers = {
    'Content-Type': 'text/xml; charset="utf-8"',
    'Content-Length': Buffer.byteLength(body),
    SOAPAction: `"${type}#${action}"`,
  }
  return fetchFrom(place, control, 'POST', { body, headers })
}

/** Returns `null` if the answer is late, incomplete or too long. Redirects are not followed. */
const fetchFrom = (
  { own, clock }: RouterEndpoint,
  url: URL,
  method: 'GET' | 'POST',
  sent: { readonly body: string; readonly headers: http.OutgoingHttpHeaders } | null = null,
): Promise<Answer | null> =>
  new Promise((resolve) => {
    const headers = { ...sent?.headers, Connection: 'close' }
    const request = http.request(url, { method, headers, localAddress: own, agent: false })
    const end = (answer: Answer | null): void => {
      cancel()
      request.destroy()
      resolve(answer)
    }
    const cancel = clock.after(timeoutMs, () => end(null))
    request.on('error', () => end(null))
    // The request must not keep the program running.
    request.on('socket', (socket) => socket.unref())
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes > maxBytes) end(null)
      })
      response.on('error', () => end(null))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        end({ status: response.statusCode ?? 0, body })
      })
    })
    request.end(sent?.body)
  })
