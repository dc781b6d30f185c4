import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConnectionId,
  type Room,
  type RoomEvent,
  type Step,
  step,
} from '#signaling/rooms/rooms'
import {
  alice,
  attach,
  bob,
  connection,
  drop,
  grant,
  host,
  join,
  leave,
  lines,
  open,
  passOf,
  play,
  relay,
  rules,
} from './room-play.ts'

describe('a nameplate', () => {
  it.each<[string, Step, readonly string[]]>([
    ['is given to a host', play(open), ['host = 4821', 'host < hosted 4821 1000']],
    [
      'introduces a joiner to its host',
      play(open, join(alice)),
      ['alice = 4821', 'alice < joined host for alice', 'host < peer alice for host'],
    ],
    [
      'hands over what came with the join',
      play(open, { ...join(alice), body: 'sealed' } as RoomEvent),
      ['alice = 4821', 'alice < joined host for alice', 'host < peer alice for host sealed'],
    ],
    ['is unknown before it is opened', play(join(alice)), ['alice ! E_NO_SUCH_CODE']],
    ['is not opened twice', play(open, open), ['host ! E_NO_SUCH_CODE']],
    [
      'passes a message to the host',
      play(open, join(alice), relay(alice, 'host for alice')),
      ['host < relay alice for host sealed'],
    ],
    [
      'passes a message to a joiner',
      play(open, join(alice), relay(host, 'alice for host')),
      ['alice < relay host for alice sealed'],
    ],
    [
      'passes nothing between joiners',
      play(open, join(alice), join(bob), relay(bob, 'alice for host')),
      ['bob < error E_PEER_GONE alice for host'],
    ],
    [
      "does not accept another joiner's id of the host",
      play(open, join(alice), join(bob), relay(bob, 'host for alice')),
      ['bob < error E_PEER_GONE host for alice'],
    ],
    [
      'answers a message to an unknown peer like one to a departed peer',
      play(open, relay(host, 'nobody')),
      ['host < error E_PEER_GONE nobody'],
    ],
    [
      'gives a joiner and its host relays when the host grants',
      play(open, join(alice), grant(host, 'alice for host')),
      [
        'host + relays to alice for host',
        'alice + relays to host for alice',
        'alice + pass of alice for host at the owner',
      ],
    ],
    [
      'gives relays once',
      play(open, join(alice), grant(host, 'alice for host'), grant(host, 'alice for host')),
      [],
    ],
    [
      'gives no second pass to a joiner with a pass',
      play(open, join(alice, passOf('alice')), grant(host, 'alice for host')),
      ['host + relays to alice for host', 'alice + relays to host for alice'],
    ],
    [
      'SIG-07: answers a grant of a peer that is not there like a message to it',
      play(open, join(alice), grant(host, 'bob for host')),
      ['host < error E_PEER_GONE bob for host'],
    ],
    [
      'does not let a joiner grant itself',
      play(open, join(alice), grant(alice, 'alice for host')),
      ['alice < error E_PEER_GONE alice for host'],
    ],
    [
      'takes no more receivers than allowed',
      play(open, join(alice), join(bob), join(connection('carol'))),
      ['carol ! E_TOO_MANY_RECEIVERS'],
    ],
    [
      'keeps as many places for those with a pass',
      play(open, join(alice), join(bob), join(connection('carol'), passOf('c'))),
      ['carol = 4821', 'carol < joined host for carol', 'host < peer carol for host'],
    ],
    [
      'takes no more of those with a pass, and still others',
      play(
        open,
        join(alice, passOf('a')),
        join(bob, passOf('b')),
        join(connection('carol'), passOf('c')),
      ),
      ['carol ! E_TOO_MANY_RECEIVERS'],
    ],
    [
      'has room again when a joiner left',
      play(open, join(alice), join(bob), leave(alice), join(connection('carol'))),
      ['carol = 4821', 'carol < joined host for carol', 'host < peer carol for host'],
    ],
    [
      'slows down a series of joiners',
      play(
        open,
        ...['a', 'b', 'c', 'd'].flatMap((name) => [
          [1, join(connection(name))] as const,
          ...(name === 'd' ? [] : [[1, drop(connection(name))] as const]),
        ]),
      ),
      ['d ! E_RATE_LIMITED'],
    ],
    [
      "tells the host of a joiner's end",
      play(open, join(alice), drop(alice)),
      ['host < gone alice for host'],
    ],
    [
      'tells the host of a joiner that leaves',
      play(open, join(alice), leave(alice)),
      ['host < gone alice for host', 'alice x 1000'],
    ],
    [
      "ends its joiners with the host's socket",
      play(open, join(alice), drop(host)),
      ['alice < gone host for alice', 'alice x 4003'],
    ],
    [
      'lets joiners with a pass wait for an absent host, and introduces them when it is back',
      play(
        open,
        drop(host),
        { ...join(alice, passOf('alice')), body: 'hello' } as RoomEvent,
        join(bob, passOf('bob')),
        attach('again'),
      ),
      [
        'again = 4821',
        'again < hosted 4821 1000',
        'alice < joined host for alice',
        'again < peer alice for host hello',
        'bob < joined host for bob',
        'again < peer bob for host',
      ],
    ],
    [
      'notifies a waiting joiner',
      play(open, drop(host), join(alice, passOf('alice'))),
      ['alice = 4821', 'alice < waiting'],
    ],
    [
      'forgets joiners that no longer wait',
      play(open, drop(host), join(alice, passOf('alice')), drop(alice), attach('again')),
      ['again = 4821', 'again < hosted 4821 1000'],
    ],
    [
      'limits the number of waiting joiners',
      play(
        open,
        drop(host),
        join(alice, passOf('alice')),
        join(bob, passOf('bob')),
        join(connection('carol'), passOf('carol')),
      ),
      ['carol ! E_PEER_GONE'],
    ],
    [
      'limits the waiting bytes',
      play(open, drop(host), {
        ...join(alice, passOf('alice')),
        body: 'fourteen chars',
      } as RoomEvent),
      ['alice ! E_PEER_GONE'],
    ],
    [
      'lets one joiner wait per pass, the newest',
      play(
        open,
        drop(host),
        join(alice, passOf('alice')),
        join(bob, passOf('bob')),
        join(connection('carol'), passOf('alice')),
      ),
      ['alice ! E_PEER_GONE', 'carol = 4821', 'carol < waiting'],
    ],
    [
      'has one pair per pass, the newest',
      play(
        open,
        join(alice, passOf('alice')),
        join(bob, passOf('bob')),
        join(connection('carol'), passOf('alice')),
      ),
      [
        'alice x 4002',
        'host < gone alice for host',
        'carol = 4821',
        'carol < joined host for carol',
        'host < peer carol for host',
      ],
    ],
    [
      'has none for whom the host let in, once that is back by the pass',
      play(open, join(alice), grant(host, 'alice for host'), join(bob, passOf('alice for host'))),
      [
        'alice x 4002',
        'host < gone alice for host',
        'bob = 4821',
        'bob < joined host for bob',
        'host < peer bob for host',
      ],
    ],
    [
      'ends no pair for one that has no place itself',
      play(
        open,
        join(alice),
        grant(host, 'alice for host'),
        join(bob, passOf('b')),
        join(connection('carol'), passOf('c')),
        join(connection('dave'), passOf('alice for host')),
      ),
      ['dave ! E_TOO_MANY_RECEIVERS'],
    ],
    [
      'lets nobody wait longer than for the host',
      play(open, drop(host), join(alice, passOf('alice')), [10_001, { type: 'tick' }]),
      ['alice ! E_PEER_GONE'],
    ],
    [
      'asks strangers to come again while the host is absent',
      play(open, drop(host), join(alice)),
      ['alice ! E_PEER_GONE'],
    ],
    [
      'is unknown when the host stays away',
      play(open, drop(host), [10_001, join(alice)]),
      ['alice ! E_NO_SUCH_CODE'],
    ],
    [
      'is unknown when the host left',
      play(open, leave(host), join(alice)),
      ['alice ! E_NO_SUCH_CODE'],
    ],
    [
      'goes back to its owner',
      play(open, drop(host), attach('again')),
      ['again = 4821', 'again < hosted 4821 1000'],
    ],
    [
      'goes back to its owner while it rests',
      play(open, drop(host), [90_000, attach('again')]),
      ['again = 4821', 'again < hosted 4821 1000'],
    ],
    [
      'does not go back to an owner who left',
      play(open, leave(host), attach('again')),
      ['again ! E_NO_SUCH_CODE'],
    ],
    [
      'does not go to another key',
      play(open, drop(host), attach('thief', 'another owner')),
      ['thief ! E_NO_SUCH_CODE'],
    ],
    [
      'goes to the newest of two sockets of its owner',
      play(open, join(alice), attach('newer')),
      [
        'alice < gone host for alice',
        'alice x 4003',
        'host x 4002',
        'newer = 4821',
        'newer < hosted 4821 1000',
      ],
    ],
    [
      'is not touched by the end of a socket that was replaced',
      play(open, attach('newer'), drop(host), join(alice)),
      ['alice = 4821', 'alice < joined host for alice', 'newer < peer alice for host'],
    ],
    [
      'ends when its time is over',
      play(open, join(alice), [1_000_000, { type: 'tick' }]),
      ['alice < gone host for alice', 'alice x 4003', 'host x 4003'],
    ],
    [
      'counts its time from the last attach',
      play(open, [600_000, attach('newer')], [1_500_000, join(alice)]),
      ['alice = 4821', 'alice < joined host for alice', 'newer < peer alice for host'],
    ],
  ])('%s', (_what, { effects }, expected) => {
    expect(lines(effects)).toEqual(expected)
  })

  it.each([
    ['a joiner', join(alice), true],
    ['one that has a pass', join(alice, passOf('alice')), false],
  ])('treats %s as a stranger or not until it is admitted', (_who, event, isStranger) => {
    const strangers = (...then: readonly RoomEvent[]) =>
      play(open, event, ...then.map((next) => [2, next] as const)).effects.flatMap((effect) =>
        effect.type === 'hand-over' ? [effect.isStranger] : [],
      )
    const said = relay(alice, 'host for alice')
    expect(strangers()).toEqual([isStranger])
    expect(strangers(said)).toEqual([isStranger])
    expect(strangers(grant(host, 'alice for host'), said)).toEqual([false])
  })

  it('rests before it is free, counted from its end, however late it is checked', () => {
    const dropped = play(open, drop(host)).room
    const tick = (at: number) => step(dropped, { type: 'tick' }, rules, at).room
    expect(tick(10_000)?.phase).toBe('absent')
    expect(tick(10_001)?.phase).toBe('resting')
    expect(tick(110_000)?.phase).toBe('resting')
    expect(tick(110_001)).toBeNull()
  })

  it('SIG-11: is as small after 10,000 joins and ends as before', () => {
    const { room: before } = play(open)
    let room: Room | null = before
    for (let round = 1; round <= 10_000; round += 1) {
      const at = round * 20
      room = step(room, join(alice), rules, at).room
      room = step(room, drop(alice), rules, at).room
    }
    expect(Object.keys(room ?? {})).toEqual(Object.keys(before ?? {}))
    expect(room).toMatchObject({ phase: 'hosted', host, pairs: [] })
  })
})

describe('after any history', () => {
  const who = fc.constantFrom('host', 'newer', 'alice', 'bob', 'carol').map(connection)
  const event: fc.Arbitrary<RoomEvent> = fc.oneof(
    who.map((name): RoomEvent => ({ ...open, host: name })),
    who.map((name) => attach(name)),
    who.map((name) => join(name)),
    who.map((name) => join(name, passOf(name))),
    fc.tuple(who, who).map(([sender, to]) => relay(sender, `${to} for host`)),
    fc.tuple(who, who).map(([sender, to]) => grant(sender, `${to} for host`)),
    fc
      .record({ type: fc.constantFrom('leave', 'drop'), who })
      .map((end): RoomEvent => end as RoomEvent),
    fc.constant<RoomEvent>({ type: 'tick' }),
  )
  const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), event), { maxLength: 60 })

  it('has no more pairs than allowed, and no participants once all sockets have ended', () => {
    fc.assert(
      fc.property(history, (events) => {
        let room: Room | null = null
        let now = 0
        for (const [pause, next] of events) {
          now += pause
          room = step(room, next, rules, now).room
          const pairs = room?.phase === 'hosted' ? room.pairs : []
          for (const isKnown of [true, false]) {
            const alike = pairs.filter((pair) => pair.isKnown === isKnown)
            expect(alike.length).toBeLessThanOrEqual(rules.maxReceivers)
          }
          const passes = pairs.flatMap(({ pass }) => (pass === null ? [] : [pass]))
          expect(new Set(passes).size).toBe(passes.length)
        }
        for (const name of ['host', 'newer', 'alice', 'bob', 'carol']) {
          // Repeated, because a socket of this history may have several roles.
          const end = drop(connection(name))
          for (let time = 0; time < 3; time += 1) room = step(room, end, rules, now).room
        }
        expect(room?.phase).not.toBe('hosted')
        expect(step(room, { type: 'tick' }, rules, now + 110_000).room).toBeNull()
      }),
    )
  })

  it('gives relays only to granted joiners, and only once', () => {
    fc.assert(
      fc.property(history, (events) => {
        let room: Room | null = null
        let now = 0
        for (const [pause, next] of events) {
          now += pause
          const before: Room | null = room
          const after: Step = step(room, next, rules, now)
          const given = after.effects.filter((effect) => effect.type === 'relays')
          if (given.length > 0) {
            expect(next).toMatchObject({ type: 'grant', sender: given[0]?.to })
            expect(given).toHaveLength(2)
            expect(participants(before)).toEqual(expect.arrayContaining(given.map(({ to }) => to)))
            expect(step(after.room, next, rules, now).effects).toEqual([])
          }
          room = after.room
        }
      }),
    )
  })

  it('sends only to participants, and closes those that it ends', () => {
    fc.assert(
      fc.property(history, (events) => {
        let room: Room | null = null
        let now = 0
        for (const [pause, next] of events) {
          now += pause
          const present = participants(room)
          const after: Step = step(room, next, rules, now)
          const asking = 'host' in next ? next.host : 'joiner' in next ? next.joiner : undefined
          const allowed = new Set<string>([...present, asking ?? '', senderOf(next)])
          for (const { to } of after.effects) expect(allowed).toContain(to)
          room = after.room
          const closed = new Set(
            after.effects.filter(({ type }) => /close|refuse/.test(type)).map(({ to }) => to),
          )
          const dropped = next.type === 'drop' ? next.who : ''
          const left = present.filter((name) => !participants(room).includes(name))
          for (const name of left) expect(name === dropped || closed.has(name)).toBe(true)
        }
      }),
    )
  })

  const participants = (room: Room | null): readonly ConnectionId[] =>
    room?.phase === 'hosted'
      ? [room.host, ...room.pairs.map(({ joiner }) => joiner)]
      : room?.phase === 'absent'
        ? room.waiting.map(({ joiner }) => joiner)
        : []

  const senderOf = (event: RoomEvent): string =>
    'sender' in event ? event.sender : event.type === 'leave' ? event.who : ''
})
