import { expect, it, vi } from 'vitest'
import { addressesElsewhere, serve } from '../../commands/serve'
import { PlainReporter } from '../../report/plain-reporter'
import { Paper } from '../paper'

const address = (text: string, family: 'IPv4' | 'IPv6', internal = false) =>
  ({ address: text, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as never
const interfaces = {
  lo: [address('127.0.0.1', 'IPv4', true), address('::1', 'IPv6', true)],
  eth0: [address('192.0.2.10', 'IPv4'), address('fe80::1', 'IPv6'), address('2001:db8::1', 'IPv6')],
}

it('names the addresses that other computers need', () => {
  expect(addressesElsewhere('', 8080, interfaces)).toEqual([
    'ws://192.0.2.10:8080',
    'ws://[2001:db8::1]:8080',
  ])
  expect(addressesElsewhere('0.0.0.0', 8080, interfaces)).toEqual(['ws://192.0.2.10:8080'])
  expect(addressesElsewhere('192.0.2.10', 8080, interfaces)).toEqual(['ws://192.0.2.10:8080'])
})

it('names none when only this computer reaches the server', () => {
  expect(addressesElsewhere('127.0.0.1', 8080, interfaces)).toEqual([])
})

it('prints each setting on a line of its own', async () => {
  vi.stubEnv('THRU_PORT', '90')
  const paper = new Paper()
  const never = () => new Promise<never>(() => undefined)
  expect(await serve(['--check-config'], new PlainReporter(paper), paper, never)).toBe(0)
  vi.unstubAllEnvs()
  expect(paper.printed).toContainEqual(expect.stringMatching(/^port = 90 +# THRU_PORT$/))
})
