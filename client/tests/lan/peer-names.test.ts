import { networkInterfaces } from 'node:os'
import { decode, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineCommand } from '#client/engine'
import type { NameWatcher } from '#client/engine-link'
import { LocalNetwork } from '#client/lan/local-network'
import { isNear } from '#client/lan/name-question'
import { answerNames } from '#client/lan/peer-names'
import { fixedServer } from '#client/signaling/server-locator'
import { FakeLan, near } from '#client/testing/fake-lan'
import { ManualClock } from '#client/testing/manual-clock'

const name = '8f5fb3c2-19d5-4f0a-9c1e-0a7c7a6b5d4e.local'
const nameOf = (number: number) => name.replace(/^8f5fb3c2/, String(number).padStart(8, '0'))

type Said = { readonly type: 'A' | 'AAAA'; readonly data: string }

const answer = (of: string, ...said: readonly Said[]): Packet => ({
  type: 'response',
  answers: said.map((each) => ({ ...each, name: of, ttl: 120, flush: true })),
})

const at = (address: string): Said => ({
  type: address.includes(':') ? 'AAAA' : 'A',
  data: address,
})

/** A computer on a network, with the answers to its engine. */
function computer({ addresses = [near('192.168.7.1')], isVisible = true } = {}) {
  const lan = new FakeLan()
  const clock = new ManualClock()
  const network = new LocalNetwork({
    ...{ server: fixedServer('ws://127.0.0.1:41480'), port: 41480, clock, isVisible },
    ...{ open: lan.open, addresses: () => addresses },
    answersAt: () => Promise.resolve(true),
    onStatus: () => undefined,
  })
  const answers: EngineCommand[] = []
  const watched: NameWatcher[] = []
  answerNames({
    ...{ network, clock },
    engine: {
      post: (command) => {
        answers.push(command)
        return null
      },
      watchNames: (watcher) => void watched.push(watcher),
    },
  })
  const [names] = watched
  if (names === undefined) throw new Error('nobody watches the names')
  const questions = () => lan.packets.filter(({ packet }) => packet.type === 'query')
  return { lan, clock, names, answers, questions }
}

const told = (address: string | null, question = 1) => ({ type: 'answer-name', question, address })

describe('a name in place of an address', () => {
  it('is queried on each network of this computer, over both families', () => {
    const addresses = [near('192.168.7.1'), near('fe80::1%eth0'), near('10.8.0.2', 'tun0')]
    const { names, questions } = computer({ addresses })
    names.onAsked(1, name)
    expect(questions().map(({ from }) => from)).toEqual(addresses.map(({ address }) => address))
    expect(questions()[0]?.packet.questions).toMatchObject([
      { name, type: 'A' },
      { name, type: 'AAAA' },
    ])
  })

  it.each(['192.168.7.2', '10.1.2.3', '169.254.1.2', 'fd12::7', 'fe80::7'])(
    'leads to %s, and ends the query',
    (address) => {
      const { lan, clock, names, answers, questions } = computer()
      names.onAsked(1, name)
      lan.send('192.168.7.2', answer(name, at(address)))
      lan.send('192.168.7.2', answer(name, at('192.168.7.3')))
      clock.advance(5000)
      expect(answers).toEqual([told(address)])
      expect(questions()).toHaveLength(1)
      expect(lan.sockets).toBe(0)
    },
  )

  it('is case-insensitive', () => {
    const { lan, names, answers } = computer()
    names.onAsked(1, name.toUpperCase())
    lan.send('192.168.7.2', answer(name.toUpperCase(), at('192.168.7.2')))
    expect(answers).toEqual([told('192.168.7.2')])
  })

  it('is queried once more after a second, and given up after three', () => {
    const { lan, clock, names, answers, questions } = computer()
    names.onAsked(1, name)
    clock.advance(2999)
    expect(questions()).toHaveLength(2)
    expect(answers).toEqual([])
    clock.advance(1)
    expect(answers).toEqual([told(null)])
    lan.send('192.168.7.2', answer(name, at('192.168.7.2')))
    expect(answers).toHaveLength(1)
    expect(lan.sockets).toBe(0)
    expect(clock.delays).toEqual([])
  })

  it.each([
    ['an address on the internet', [at('203.0.113.7')]],
    ['an address on the internet, of IPv6', [at('2001:db8::7')]],
    ['this computer alone', [at('127.0.0.1')]],
    ['this computer alone, of IPv6', [at('::1')]],
    ['a group of computers', [at('224.0.0.251')]],
    ['two addresses', [at('192.168.7.2'), at('192.168.7.3')]],
    ['an address of each family', [at('192.168.7.2'), at('fe80::7')]],
  ])('leads nowhere when the answer is %s', (_what, said) => {
    const { lan, names, answers } = computer()
    names.onAsked(1, name)
    lan.send('192.168.7.2', answer(name, ...said))
    expect(answers).toEqual([told(null)])
  })

  it.each([
    ['about another name', '192.168.7.2', answer(nameOf(2), at('192.168.7.2'))],
    ['that is over', '192.168.7.2', farewell()],
    ['from far away', '203.0.113.7', answer(name, at('192.168.7.2'))],
    ['that is a question', '192.168.7.2', { ...answer(name, at('192.168.7.2')), type: 'query' }],
    ['behind too much else', '192.168.7.2', late()],
  ] as const)('is not resolved by an answer %s', (_what, from, packet) => {
    const { lan, names, answers } = computer()
    names.onAsked(1, name)
    lan.send(from, packet)
    expect(answers).toEqual([])
  })

  it('is not queried once its connection is over', () => {
    const { lan, clock, names, answers } = computer()
    names.onAsked(1, name)
    names.onDropped(1)
    lan.send('192.168.7.2', answer(name, at('192.168.7.2')))
    clock.advance(10_000)
    names.onDropped(1)
    expect(answers).toEqual([])
    expect(lan.sockets).toBe(0)
    expect(clock.delays).toEqual([])
  })

  it('leaves nothing behind when the program ends', () => {
    const { lan, clock, names } = computer()
    names.onAsked(1, name)
    names.close()
    expect(lan.sockets).toBe(0)
    expect(clock.delays).toEqual([])
  })

  it('is not queried while invisible, or without a network', () => {
    for (const how of [{ isVisible: false }, { addresses: [] }]) {
      const { names, answers, questions } = computer(how)
      names.onAsked(1, name)
      expect(answers).toEqual([told(null)])
      expect(questions()).toEqual([])
    }
  })

  it('is one of at most sixteen queried at a time', () => {
    const { names, answers, questions } = computer()
    for (let number = 1; number <= 20; number += 1) names.onAsked(number, nameOf(number))
    expect(questions()).toHaveLength(16)
    expect(answers).toEqual([17, 18, 19, 20].map((question) => told(null, question)))
  })

  it('is one of at most sixty per minute, across all connections', () => {
    const { clock, names, answers, questions } = computer()
    const ask = (number: number) => {
      names.onAsked(number, nameOf(number))
      names.onDropped(number)
    }
    for (let number = 1; number <= 100; number += 1) ask(number)
    expect(questions()).toHaveLength(60)
    expect(answers).toHaveLength(40)
    clock.advance(60_000)
    ask(101)
    expect(questions()).toHaveLength(61)
  })

  it('survives any answer of a computer nearby', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { lan, names } = computer()
        names.onAsked(1, name)
        try {
          lan.send('192.168.7.2', decode(Buffer.from(bytes)))
        } catch {
          return
        }
        names.onDropped(1)
        expect(lan.sockets).toBe(0)
      }),
    )
  })
})

it('accepts public addresses only on a network of this computer', () => {
  expect(isNear('203.0.113.7')).toBe(false)
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  for (const { address, internal } of own) if (!internal) expect(isNear(address)).toBe(true)
})

function farewell(): Packet {
  const answers = [{ type: 'A', name, ttl: 0, data: '192.168.7.2' } as const]
  return { type: 'response', answers }
}

function late(): Packet {
  const others = Array.from({ length: 16 }, (_, number) => answer(nameOf(number), at('10.0.0.1')))
  const all = [...others, answer(name, at('192.168.7.2'))]
  return { type: 'response', answers: all.flatMap(({ answers = [] }) => answers) }
}
