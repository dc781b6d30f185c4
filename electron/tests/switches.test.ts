import { describe, expect, it } from 'vitest'
import { readSwitches } from '../main/switches'

describe('readSwitches', () => {
  it('returns defaults without switches', () => {
    expect(readSwitches(['/usr/bin/thruflux', '.', 'thruflux:join?c=1'])).toEqual({
      serverUrl: null,
      stunServers: [],
      turnServers: [],
      relayUse: null,
      downloads: null,
      userData: null,
      name: null,
      localPort: null,
      visibleOnNetwork: true,
      mayMeet: true,
      language: null,
      isHidden: false,
      act: null,
      registerLinks: false,
    })
  })

  it('reads each switch, and several servers', () => {
    const argv = [
      '--server-url=wss://meet.example.org',
      '--stun-server=stun:a.example.org',
      '--stun-server=stun:b.example.org',
      '--turn-server=turn:user:pass=word@c.example.org',
      '--relay=only',
      '--downloads=/tmp/received files',
      '--user-data-dir=/tmp/profile',
      '--name=Mina',
      '--local-port=41999',
      '--no-lan',
      '--no-meeting',
      '--lang=ko',
      '--hidden',
      '--enter-code',
      '--register-links',
    ]
    expect(readSwitches(argv)).toEqual({
      serverUrl: 'wss://meet.example.org',
      stunServers: ['stun:a.example.org', 'stun:b.example.org'],
      turnServers: ['turn:user:pass=word@c.example.org'],
      relayUse: 'only',
      downloads: '/tmp/received files',
      userData: '/tmp/profile',
      name: 'Mina',
      localPort: 41999,
      visibleOnNetwork: false,
      mayMeet: false,
      language: 'ko',
      isHidden: true,
      act: 'codeField',
      registerLinks: true,
    })
  })

  it('uses the last of repeated switches, and ignores empty ones', () => {
    expect(readSwitches(['--name=a', '--name=b', '--name=']).name).toBe('b')
  })

  it('LINK-03 and LINK-04 reads nothing after a join link', () => {
    const argv = ['--name=Mina', 'thruflux:join?v=1&c=x"', '--name=Eve', '--server-url=wss://evil']
    expect(readSwitches(argv)).toMatchObject({ name: 'Mina', serverUrl: null })
  })

  it.each(['0', '65536', '-1', '80x', '1.5'])('rejects the port %s', (port) => {
    expect(readSwitches([`--local-port=${port}`]).localPort).toBeNull()
  })
})
