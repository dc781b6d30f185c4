import { describe, expect, it } from 'vitest'
import * as natPmp from '#client/port-mapping/nat-pmp'
import * as pcp from '#client/port-mapping/pcp'
import { decodeDescription, decodeFound, textOf } from '#client/port-mapping/upnp-description'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')

describe('PCP', () => {
  const nonce = hex('00112233445566778899aabb')
  const asked = {
    ...{ own: '10.0.1.2', nonce, port: 40_000, lifetimeSeconds: 1200 },
    wanted: null,
  }
  const own = '00000000000000000000ffff 0a000102'
  const granted = hex(`02810000 000004b0 00000007 000000000000000000000000
    00112233445566778899aabb 11000000 9c40c350 00000000000000000000ffff cb007107`)
  const changed = (at: number, byte: number): Buffer => {
    const bytes = Buffer.from(granted)
    bytes[at] = byte
    return bytes
  }

  it('encodes a mapping request as in section 11.1', () => {
    expect(pcp.encodeMap(asked)).toEqual(
      hex(`02010000 000004b0 ${own}
        00112233445566778899aabb 11000000 9c400000 00000000000000000000ffff 00000000`),
    )
    const wanted = { address: '203.0.113.7', port: 50_000 }
    expect(pcp.encodeMap({ ...asked, lifetimeSeconds: 0, wanted })).toEqual(
      hex(`02010000 00000000 ${own}
        00112233445566778899aabb 11000000 9c40c350 00000000000000000000ffff cb007107`),
    )
    expect(pcp.encodeAnnounce('10.0.1.2')).toEqual(hex(`02000000 00000000 ${own}`))
  })

  it('has one nonce for each port', () => {
    expect(pcp.nonceOf('10.0.1.2', 40_000)).toEqual(pcp.nonceOf('10.0.1.2', 40_000))
    const nonces = [
      pcp.nonceOf('10.0.1.2', 40_000),
      pcp.nonceOf('10.0.1.2', 40_001),
      pcp.nonceOf('10.0.1.3', 40_000),
    ]
    expect(new Set(nonces.map((each) => each.toString('hex'))).size).toBe(3)
    expect(nonces.map(({ length }) => length)).toEqual([12, 12, 12])
  })

  it('decodes a granted mapping, with options after it', () => {
    const mapping = { address: '203.0.113.7', port: 50_000, lifetimeSeconds: 1200 }
    expect(pcp.decodeMap(granted, asked)).toEqual(mapping)
    expect(pcp.decodeMap(Buffer.concat([granted, hex('80000000')]), asked)).toEqual(mapping)
  })

  it('recognizes a refusal, and a router without an IPv4 address', () => {
    expect(pcp.decodeMap(changed(3, 2), asked)).toBe('refused')
    expect(pcp.decodeMap(changed(44, 0x20), asked)).toBe('refused')
  })

  it.each([
    ['version', changed(0, 1)],
    ['opcode', changed(1, 0x82)],
    ['direction', changed(1, 0x01)],
    ['nonce', changed(24, 0xff)],
    ['protocol', changed(36, 6)],
    ['port', changed(40, 0)],
    ['length', granted.subarray(0, 56)],
    ['end', granted.subarray(0, 59)],
    ['size', Buffer.concat([granted, Buffer.alloc(1044)])],
    ['header', granted.subarray(0, 8)],
    ['nothing', Buffer.alloc(0)],
  ])('rejects an answer with a different %s', (_, answer) => {
    expect(pcp.decodeMap(answer, asked)).toBeNull()
  })

  it('recognizes a router by its answer to ANNOUNCE', () => {
    const announced = hex('02800000 00000000 00000007 000000000000000000000000')
    expect(pcp.decodeAnnounce(announced)).toBe(true)
    expect(pcp.decodeAnnounce(hex('00800001 00000007'))).toBeNull()
    expect(pcp.decodeAnnounce(granted)).toBeNull()
  })
})

describe('NAT-PMP', () => {
  it('encodes requests for the address and a mapping as in sections 3.2 and 3.3', () => {
    expect(natPmp.addressRequest).toEqual(hex('0000'))
    expect(natPmp.encodeMap(40_000, 50_000, 1200)).toEqual(hex('00010000 9c40c350 000004b0'))
    expect(natPmp.encodeMap(40_000, 0, 0)).toEqual(hex('00010000 9c400000 00000000'))
  })

  it('decodes the address and the mapping', () => {
    expect(natPmp.decodeAddress(hex('00800000 00000007 cb007107'))).toBe('203.0.113.7')
    const granted = hex('00810000 00000007 9c40c350 000004b0')
    expect(natPmp.decodeMap(granted, 40_000)).toEqual({ port: 50_000, lifetimeSeconds: 1200 })
    expect(natPmp.decodeMap(hex('00810002 00000007 9c400000 00000000'), 40_000)).toBe('refused')
  })

  it.each([
    ['another port', hex('00810000 00000007 9c41c350 000004b0')],
    ['another protocol', hex('00820000 00000007 9c40c350 000004b0')],
    ['another version', hex('02810000 00000007 9c40c350 000004b0')],
    ['too few bytes', hex('00810000 00000007 9c40c350 000004')],
    ['too many bytes', hex('00810000 00000007 9c40c350 000004b0 00')],
    ['a version that is not spoken', hex('00810001 00000007')],
  ])('rejects an answer of %s', (_, answer) => {
    expect(natPmp.decodeMap(answer, 40_000)).toBeNull()
    expect(natPmp.decodeAddress(answer)).toBeNull()
  })
})

describe('UPnP', () => {
  const gateway = '192.168.1.1'
  const found = (location: string, st = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1') =>
    decodeFound(
      Buffer.from(
        `HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=120\r\nST: ${st}\r\nLOCATION: ${location}\r\n\r\n`,
      ),
      gateway,
    )?.href ?? null

  it('follows an answer only to the router that sent it', () => {
    expect(found('http://192.168.1.1:5000/rootDesc.xml')).toBe(
      'http://192.168.1.1:5000/rootDesc.xml',
    )
    for (const elsewhere of [
      'http://192.168.1.2:5000/rootDesc.xml',
      'http://192.168.1.1@evil.example/x',
      'http://%zz@192.168.1.1/x',
      'http://:word@192.168.1.1/x',
      'https://192.168.1.1/x',
      'file:///etc/passwd',
      '/rootDesc.xml',
    ]) {
      expect(found(elsewhere)).toBeNull()
    }
    expect(found('http://192.168.1.1/', 'urn:schemas-upnp-org:device:MediaServer:1')).toBeNull()
    expect(decodeFound(Buffer.from('NOTIFY * HTTP/1.1\r\n'), gateway)).toBeNull()
  })

  const service = (type: string, control: string): string =>
    `<service><serviceType>urn:schemas-upnp-org:service:${type}</serviceType>
     <controlURL>${control}</controlURL></service>`
  const location = new URL('http://192.168.1.1:5000/rootDesc.xml')

  it('finds the services that map ports in a description', () => {
    const description = `<?xml version="1.0"?><root><device><serviceList>
      ${service('Layer3Forwarding:1', '/l3f')}</serviceList><deviceList><device><serviceList>
      ${service('WANCommonInterfaceConfig:1', '/cfg')}
      ${service('WANPPPConnection:1', 'ctl/ppp?a=1&amp;b=2')}
      ${service('WANIPConnection:2', 'http://192.168.1.1:5001/ctl')}
      </serviceList></device></deviceList></device></root>`
    expect(decodeDescription(description, location, gateway)).toEqual([
      {
        type: 'urn:schemas-upnp-org:service:WANPPPConnection:1',
        control: new URL('http://192.168.1.1:5000/ctl/ppp?a=1&b=2'),
      },
      {
        type: 'urn:schemas-upnp-org:service:WANIPConnection:2',
        control: new URL('http://192.168.1.1:5001/ctl'),
      },
    ])
  })

  it('is decoded quickly, in any notation', () => {
    const spaces = ' '.repeat(64 * 1024)
    expect(textOf('a', `<a>${spaces}`)).toBeNull()
    expect(textOf('a', '<a>'.repeat(20_000))).toBeNull()
    expect(textOf('a', `<A>${spaces}x &amp; y\n${spaces}</A>`)).toBe('x & y')
    expect(decodeDescription(`<URLBase>${spaces}`, location, gateway)).toEqual([])
  })

  it('rejects services elsewhere or without an address, and uses at most two', () => {
    const service1 = 'WANIPConnection:1'
    const nowhere = [
      service(service1, 'http://10.0.0.5/ctl'),
      service(service1, '//evil.example/ctl'),
      '<service><serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType></service>',
      service('WANIPConnection:1"><x/>', '/ctl'),
      '<service>'.repeat(1000),
    ].join('')
    expect(decodeDescription(nowhere, location, gateway)).toEqual([])
    const many = service(service1, '/ctl').repeat(50)
    expect(decodeDescription(many, location, gateway)).toHaveLength(2)
  })
})
