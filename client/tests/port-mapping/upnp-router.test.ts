/** A router that maps ports by UPnP, as a web server on this computer. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openUpnp } from '#client/port-mapping/upnp'
import { ManualClock } from '#client/testing/manual-clock'

type Respond = (action: string, body: string, response: ServerResponse) => void

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const type = 'urn:schemas-upnp-org:service:WANIPConnection:1'
const description = `<root><service><serviceType>${type}</serviceType><controlURL>/ctl</controlURL></service></root>`

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** The requested actions, and the router as a client sees it. */
async function open(respond: Respond, described = description) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      if (request.method === 'GET') {
        response.end(described)
        return
      }
      const [, action = ''] = /#(\w+)"$/.exec(String(request.headers['soapaction'])) ?? []
      asked.push(action)
      respond(action, body, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const place = { gateway: '127.0.0.1', own: '127.0.0.1', clock: new ManualClock() }
  const router = await openUpnp(place, new URL(`http://127.0.0.1:${port}/rootDesc.xml`))
  return { router, asked }
}

const address = (response: ServerResponse, text: string): void => {
  response.end(`<s:Body><NewExternalIPAddress>${text}</NewExternalIPAddress></s:Body>`)
}

const fault = (response: ServerResponse, code: number): void => {
  response.writeHead(500).end(`<UPnPError><errorCode>${code}</errorCode></UPnPError>`)
}

it('maps a port with a lease, renews it, and deletes it', async () => {
  const bodies: string[] = []
  const { router, asked } = await open((action, body, response) => {
    bodies.push(body)
    if (action === 'GetExternalIPAddress') address(response, '203.0.113.7')
    else response.end('<ok/>')
  })
  expect(router).toMatchObject({ name: 'UPnP', outside: '203.0.113.7' })
  const mapping = await router?.map(40_000, null)
  expect(mapping).toEqual({ address: '203.0.113.7', port: 40_000, lifetimeSeconds: 1200 })
  expect(bodies[1]).toContain('<NewInternalClient>127.0.0.1</NewInternalClient>')
  expect(bodies[1]).toContain('<NewLeaseDuration>1200</NewLeaseDuration>')
  if (mapping) await router?.unmap(40_000, mapping)
  expect(asked).toEqual([
    ...['GetExternalIPAddress', 'AddPortMapping', 'GetExternalIPAddress'],
    'DeletePortMapping',
  ])
  expect(bodies[3]).toContain('<NewExternalPort>40000</NewExternalPort>')
})

it('tries another port if its own is taken, and gives up after three', async () => {
  const ports: string[] = []
  const { router } = await open((action, body, response) => {
    if (action === 'GetExternalIPAddress') {
      address(response, '203.0.113.7')
      return
    }
    ports.push(/<NewExternalPort>(\d+)</.exec(body)?.[1] ?? '')
    fault(response, 718)
  })
  expect(await router?.map(40_000, null)).toBeNull()
  expect(ports).toHaveLength(3)
  expect(ports[0]).toBe('40000')
})

it('leaves no permanent mapping', async () => {
  const { router, asked } = await open((action, _body, response) => {
    if (action === 'GetExternalIPAddress') address(response, '203.0.113.7')
    else fault(response, 725)
  })
  expect(await router?.map(40_000, null)).toBeNull()
  expect(asked).toEqual(['GetExternalIPAddress', 'AddPortMapping'])
})

it('deletes a mapping whose address is unknown', async () => {
  let addresses = 0
  const { router, asked } = await open((action, _body, response) => {
    addresses += action === 'GetExternalIPAddress' ? 1 : 0
    if (action === 'GetExternalIPAddress') address(response, addresses === 1 ? '203.0.113.7' : '')
    else response.end('<ok/>')
  })
  expect(await router?.map(40_000, null)).toBeNull()
  expect(asked.slice(1)).toEqual([
    ...['AddPortMapping', 'GetExternalIPAddress', 'DeletePortMapping'],
  ])
})

it('deletes a mapping that the router may have made without an answer, unless it was there before', async () => {
  const { router, asked } = await open((action, _body, response) => {
    if (action === 'GetExternalIPAddress') address(response, '203.0.113.7')
    else if (action === 'AddPortMapping') response.destroy()
    else response.end('<ok/>')
  })
  expect(await router?.map(40_000, null)).toBeNull()
  const before = { address: '203.0.113.7', port: 50_000, lifetimeSeconds: 1200 }
  expect(await router?.map(40_000, before)).toBeNull()
  expect(asked.slice(1)).toEqual(['AddPortMapping', 'DeletePortMapping', 'AddPortMapping'])
})

it.each(['', '0.0.0.0', 'fe80::1', 'not an address', '1.2.3.4<x>'])(
  'is rejected with the external address "%s"',
  async (text) => {
    const { router } = await open((_action, _body, response) => address(response, text))
    expect(router).toBeNull()
  },
)

it('is rejected when it redirects, sends too much or ends early', async () => {
  const { router: moved } = await open((_action, _body, response) => {
    response.writeHead(302, { location: 'http://192.0.2.1/' }).end()
  })
  expect(moved).toBeNull()
  const { router: long } = await open(() => undefined, `${description}${'x'.repeat(70_000)}`)
  expect(long).toBeNull()
  const { router: cut } = await open((_action, _body, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('<s:Body>', () => response.destroy())
  })
  expect(cut).toBeNull()
})
