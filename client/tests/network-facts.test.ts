import { describe, expect, it } from 'vitest'
import { checkFirewall } from '#client/network-check/firewall'
import { defaultGateway } from '#client/port-mapping/gateway'
import { ownAddressTowards } from '#client/port-mapping/router-question'
import type { SystemView } from '#client/system-view'

/** A system with these files, on which each program prints the same. */
const system = (
  platform: NodeJS.Platform,
  files: Readonly<Record<string, string>>,
  printed = '',
): SystemView => ({
  platform,
  read: (path) => Promise.resolve(files[path] ?? ''),
  run: () => Promise.resolve(printed),
})

describe('the router of a network', () => {
  it('is the gateway with the lowest metric on Linux', async () => {
    const route = [
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
      'wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0',
      'eth0\t00000000\tFE01000A\t0003\t0\t0\t100\t00000000\t0\t0\t0',
      'eth0\t0001000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0',
      'tun0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0',
    ].join('\n')
    expect(await defaultGateway(system('linux', { '/proc/net/route': route }))).toBe('10.0.1.254')
    expect(await defaultGateway(system('linux', {}))).toBeNull()
  })

  it('is read from the output of route on macOS and Windows, in any language', async () => {
    const mac = '   route to: default\n    gateway: 192.168.1.1\n  interface: en0\n'
    expect(await defaultGateway(system('darwin', {}, mac))).toBe('192.168.1.1')
    const windows = [
      'Aktive Routen:',
      '     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik',
      '          0.0.0.0          0.0.0.0      192.168.7.1     192.168.7.20     50',
      '          0.0.0.0          0.0.0.0      192.168.8.1     192.168.8.20     25',
      'Ständige Routen:',
    ].join('\r\n')
    expect(await defaultGateway(system('win32', {}, windows))).toBe('192.168.8.1')
    expect(await defaultGateway(system('darwin', {}, 'route: not in table'))).toBeNull()
  })
})

it('runs Windows programs by full path, never from the current folder', async () => {
  const programs: string[] = []
  const windows: SystemView = {
    ...system('win32', {}),
    run: (program) => {
      programs.push(program)
      return Promise.resolve('')
    },
  }
  await defaultGateway(windows)
  await checkFirewall(windows)
  expect(programs).toEqual([
    expect.stringMatching(/^[A-Z]:\\.*\\System32\\route\.exe$/i),
    expect.stringMatching(/^[A-Z]:\\.*\\System32\\reg\.exe$/i),
  ])
})

it('there is no own address without a route', async () => {
  expect(await ownAddressTowards('127.0.0.1')).toBe('127.0.0.1')
  // Broadcasting requires an explicit request to the system.
  expect(await ownAddressTowards('255.255.255.255')).toBeNull()
})

describe('a firewall', () => {
  it('is detected by its files on Linux, with the command that lets Thruflux through', async () => {
    const ufw = { '/etc/ufw/ufw.conf': '# no\nENABLED=yes\nLOGLEVEL=low\n' }
    expect(await checkFirewall(system('linux', ufw))).toMatchObject({
      verdict: 'seen',
      facts: { names: ['ufw'], allow: 'sudo ufw allow 5353/udp' },
    })
    const both = { '/run/firewalld.pid': '812\n', '/etc/nftables.conf': '  policy drop;\n' }
    expect(await checkFirewall(system('linux', both))).toMatchObject({
      facts: { names: ['firewalld', 'nftables'] },
    })
    const off = { '/etc/ufw/ufw.conf': 'ENABLED=no\n', '/etc/nftables.conf': '# drop\n' }
    expect(await checkFirewall(system('linux', off))).toMatchObject({ verdict: 'none' })
  })

  it('is detected on macOS and Windows, or is unknown', async () => {
    const mac = 'Firewall is enabled. (State = 1)'
    expect(await checkFirewall(system('darwin', {}, mac))).toMatchObject({ verdict: 'seen' })
    const windows = '    EnableFirewall    REG_DWORD    0x1\r\n'
    expect(await checkFirewall(system('win32', {}, windows))).toMatchObject({ verdict: 'seen' })
    expect(await checkFirewall(system('win32', {}, windows.replace('0x1', '0x0')))).toMatchObject({
      verdict: 'none',
    })
    expect(await checkFirewall(system('darwin', {}))).toMatchObject({ verdict: 'unknown' })
    expect(await checkFirewall(system('freebsd', {}))).toMatchObject({ verdict: 'unknown' })
  })
})
