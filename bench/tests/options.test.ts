import { describe, expect, it } from 'vitest'
import { parseSize, readOptions } from '../lab/options.mjs'

const tools = [{ name: 'thru' }, { name: 'relay', isOptional: true }, { name: 'rsync' }]
const read = (...argv: string[]) => readOptions(argv, tools) as Record<string, unknown>

describe('the command line of a scenario', () => {
  it('takes the values of the scenario', () => {
    expect(read('wan')).toMatchObject({
      name: 'wan',
      isChanged: false,
      files: 1,
      bytes: 2 ** 28,
      runs: 3,
      path: { rtt: 100, rate: 300, loss: 0.2 },
      tools: ['thru', 'rsync'],
    })
    expect(read('lan')['path']).toBeUndefined()
  })

  it('receives into memory unless the scenario is about a disk', () => {
    expect(read('lan')['isOnDisk']).toBe(false)
    expect(read('lan-disk', '--tools', 'thru')).toMatchObject({
      isOnDisk: true,
      isChanged: false,
      bytes: 2 ** 31,
    })
  })

  it('replaces what is given, and says so', () => {
    expect(
      read('wan', '--rtt', '20', '--loss', '0', '--size', '60MB', '--tools', 'rsync'),
    ).toMatchObject({
      isChanged: true,
      bytes: 60_000_000,
      path: { rtt: 20, rate: 300, loss: 0 },
      tools: ['rsync'],
    })
    expect(read('wan', '--tools', 'relay')['tools']).toEqual(['relay'])
  })

  it('makes a path for a scenario that has none', () => {
    expect(read('lan', '--rtt', '5', '--server-rtt', '80')['path']).toEqual({
      rtt: 5,
      serverRtt: 80,
    })
  })

  it('takes late packets with their lateness', () => {
    expect(read('wan', '--late', '2', '--late-by', '5-30')['path']).toMatchObject({
      late: 2,
      lateBy: [5, 30],
    })
  })

  it('puts sides behind NATs', () => {
    expect(read('wan-nat')).toMatchObject({
      isChanged: false,
      nat: { sender: 'port-restricted', receiver: 'port-restricted' },
    })
    expect(read('wan-nat', '--nat-sender', 'none', '--nat-receiver', 'symmetric')).toMatchObject({
      isChanged: true,
      nat: { receiver: 'symmetric' },
    })
    expect(read('wan')['nat']).toEqual({})
  })

  it.each([
    [['wan', '--nat-sender', 'cone'], '--nat-sender takes none, full-cone, '],
    [['lan', '--nat-sender', 'symmetric'], 'A NAT needs a path'],
    [[], 'Name one scenario: lan, '],
    [['nowhere'], 'Name one scenario'],
    [['lan', 'wan'], 'Name one scenario'],
    [['toString'], 'Name one scenario'],
    [['wan', '--loss', '101'], '--loss takes a number from 0 to 100, not "101".'],
    [['wan', '--server-rtt', 'x'], '--server-rtt takes a number from 0 to 60000, not "x".'],
    [['wan', '--rtt', ''], '--rtt takes a number'],
    [['wan', '--rtt=-1'], '--rtt takes a number'],
    [['wan', '--runs', '0'], '--runs takes a whole number from 1'],
    [['wan', '--runs', '1.5'], '--runs takes a whole number from 1'],
    [['wan', '--runs', '9999'], '--runs takes a number from 0 to 1000'],
    [['wan', '--size', '1GiBi'], '--size takes bytes'],
    [['wan', '--size', '9999GiB'], '--size takes bytes'],
    [['wan', '--late', '5'], '--late needs --late-by'],
    [['wan', '--late-by', '30-5'], '--late-by takes milliseconds'],
    [['wan', '--tcp', 'a; b'], '--tcp takes a congestion control'],
    [['wan', '--tools', 'thru,telnet'], '"telnet" is not a tool: thru, relay, rsync.'],
    [['wan', '--speed', '5'], "Unknown option '--speed'."],
  ])('%j is refused with one sentence', (argv, sentence) => {
    expect(() => readOptions(argv, tools) as unknown).toThrow(sentence)
  })
})

it.each([
  ['6000', 6000],
  ['1.5kB', 1500],
  ['256MiB', 2 ** 28],
])('%s are %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})
