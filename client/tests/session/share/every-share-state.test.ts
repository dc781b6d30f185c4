import { createServer } from 'node:http'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pairingDone } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { encode } from '#shared/signaling/messages'
import type { PeerId, ReceiverPhase, Share, ShareId } from '#shared/state/app-state'
import { oneFile } from '#shared/testing/figures'
import { bareServer } from '../../bare-server.ts'
import { greeted, scanned } from '../../engine-events'
import { directRoute, type Station } from '../../rig'
import {
  emit,
  faults,
  idle,
  over,
  type Row,
  type Scene,
  stalled,
  stationAt,
  stepsAfter,
  walk,
} from '../../state-walk.ts'
import { items } from '../../transfers'

const peer = '0123456789abcdef'

const shareOf = ({ station }: Scene) => station.client.snapshot().state.shares[0]
const idOf = (scene: Scene): ShareId => shareOf(scene)?.id ?? ('' as ShareId)

const hosted = async ({ station, socket }: Scene): Promise<void> => {
  socket.send(encode({ t: 'hosted', nameplate: '4821', ttlS: 60 }))
  await waitForState(station.client, ({ shares }) => (shares[0]?.phase === 'open' ? true : null))
}

const proven = async (scene: Scene): Promise<void> => {
  await hosted(scene)
  const { session } = scene.line
  emit(scene, scanned(session))
  scene.socket.send(encode({ t: 'peer', peer }))
  await scene.station.engine.nth('add-peer')
  emit(scene, pairingDone(session, peer))
}

const connected = async (scene: Scene): Promise<void> => {
  await proven(scene)
  emit(scene, ...greeted(scene.line, 'Jonas', 'a'.repeat(32)))
}

const { flows, ends } = stepsAfter(connected)

const shareRows: Readonly<Record<Share['phase'], Row>> = {
  opening: {
    reach: () => undefined,
    'network cut': { timerMs: 10_000 },
    'peer silent': { timerMs: 10_000 },
    'server gone': 'loss',
  },
  open: {
    reach: hosted,
    'network cut': { timerMs: 45_000 },
    'peer silent': 'person',
    'server gone': 'loss',
  },
  reconnecting: {
    reach: async (scene) => {
      await hosted(scene)
      scene.socket.terminate()
      await waitForState(scene.station.client, ({ shares }) =>
        shares[0]?.phase === 'reconnecting' ? true : null,
      )
      scene.station.clock.advance(1000)
      await scene.server.sockets.next()
    },
    // The new socket gets no answer.
    'network cut': { timerMs: 10_000 },
    'peer silent': { timerMs: 10_000 },
    'server gone': 'loss',
  },
  stopped: { reach: (scene) => void scene.station.client.shares.get(idOf(scene))?.stop(), ...over },
  failed: {
    reach: async (scene) => {
      scene.socket.send(encode({ t: 'peer', peer }))
      await waitForState(scene.station.client, ({ shares }) =>
        shares[0]?.phase === 'failed' ? true : null,
      )
    },
    ...over,
  },
}

/** A connected receiver no longer needs the server, but its loss is shown. */
const running = { 'network cut': idle, 'peer silent': 'person', 'server gone': 'loss' } as const
/** The share itself still notices the loss of its server. */
const ended = {
  'network cut': { timerMs: 45_000 },
  'peer silent': 'over',
  'server gone': 'loss',
} as const

const receiverRows: Readonly<Record<ReceiverPhase, Row>> = {
  connecting: {
    reach: proven,
    'network cut': { timerMs: 45_000 },
    'peer silent': { timerMs: 45_000 },
    'server gone': 'loss',
  },
  approving: {
    reach: async (scene) => {
      await connected(scene)
      emit(scene, { type: 'approval-requested', ...scene.line })
    },
    ...running,
  },
  deciding: { reach: connected, ...running },
  receiving: { reach: flows({ kind: 'flowing' }), ...running, 'peer silent': stalled('network') },
  finishing: { reach: flows({ kind: 'finishing' }), ...running },
  paused: { reach: flows({ kind: 'paused' }), ...running },
  'paused-by-peer': { reach: flows({ kind: 'paused-by-peer' }), ...running },
  'disk-full': { reach: flows({ kind: 'disk-full', need: 1 }), ...running },
  'peer-disk-full': { reach: flows({ kind: 'peer-disk-full', need: 1 }), ...running },
  'in-step': {
    reach: async (scene) => {
      await flows({ kind: 'finishing' })(scene)
      emit(scene, { type: 'finished', ...scene.line, ...oneFile, inStep: true })
    },
    ...running,
  },
  interrupted: { reach: ends('E_PEER_GONE'), ...ended },
  done: {
    reach: async (scene) => {
      await flows({ kind: 'finishing' })(scene)
      emit(scene, { type: 'finished', ...scene.line, ...oneFile })
    },
    ...ended,
  },
  failed: { reach: ends('E_DECLINED'), ...ended },
}

/** A share that requests a nameplate from this server. */
function shareAt(server: Awaited<ReturnType<typeof bareServer>>): Station {
  const station = stationAt(server)
  station.client.openShare({ items })
  return station
}

/** A share that has requested a nameplate. */
async function opening(): Promise<Scene> {
  const server = await bareServer()
  const station = shareAt(server)
  const { session } = await station.engine.nth('open-share')
  const socket = await server.sockets.next()
  await server.texts.next()
  return { station, server, socket, line: { session, peer } }
}

describe.each(Object.entries(shareRows))('a share that is %s', (phase, row) => {
  it.each(faults)('leads to a visible event with the %s', async (fault) => {
    const scene = await opening()
    await row.reach(scene)
    expect(shareOf(scene)?.phase).toBe(phase)
    await walk(scene, fault, row[fault], () => scene.station.client.shares.get(idOf(scene))?.stop())
  })
})

describe.each(Object.entries(receiverRows))('a receiver of a share that is %s', (phase, row) => {
  it.each(faults)('leads to a visible event with the %s', async (fault) => {
    const scene = await opening()
    await row.reach(scene)
    expect(shareOf(scene)?.receivers[0]?.phase).toBe(phase)
    await walk(scene, fault, row[fault], () => {
      scene.station.client.shares.get(idOf(scene))?.disconnect(peer as PeerId)
    })
  })
})

it('a share ends if its server sends messages but never a welcome', async () => {
  const server = await bareServer(createServer(), { t: 'gone', peer })
  const { client } = shareAt(server)
  const error = await waitForState(client, ({ shares }) => shares[0]?.error)
  expect(error.code).toBe('E_SERVER_PROTOCOL')
})

describe('a folder that is being scanned', () => {
  it('is reported when its disk does not respond for a minute', async () => {
    const scene = await opening()
    const { session } = scene.line
    await hosted(scene)
    scene.station.clock.advance(59_999)
    emit(scene, scanned(session, { complete: false }))
    scene.station.clock.advance(59_999)
    expect(shareOf(scene)?.problems).toEqual([])
    scene.station.clock.advance(1)
    const item = basename(items[0]?.path ?? '')
    const error = { code: 'E_DISK_IO', subject: item }
    expect(shareOf(scene)?.problems).toMatchObject([{ path: item, error }])
  })

  it('is not reported as silent once it is counted', async () => {
    const scene = await opening()
    const { session } = scene.line
    await hosted(scene)
    emit(scene, scanned(session))
    scene.station.clock.advance(600_000)
    expect(shareOf(scene)?.problems).toEqual([])
  })
})

describe('a receiver that falls silent', () => {
  const receiver = (scene: Scene) => shareOf(scene)?.receivers[0]

  it('is given up when it has not proved itself in 90 s', async () => {
    const scene = await opening()
    await hosted(scene)
    scene.socket.send(encode({ t: 'peer', peer }))
    await scene.station.engine.nth('add-peer')
    scene.station.clock.advance(90_000)
    expect(scene.station.engine.all('disconnect-peer')).toMatchObject([{ peer }])
  })

  it('is given up when no connection comes in 45 s after its proof', async () => {
    const scene = await opening()
    await proven(scene)
    scene.station.clock.advance(45_000)
    expect(receiver(scene)?.error?.code).toBe('E_NO_ROUTE')
    expect(scene.station.engine.all('disconnect-peer')).toMatchObject([{ peer }])
  })

  it('is given up when it is connected and does not introduce itself in 30 s', async () => {
    const scene = await opening()
    await proven(scene)
    emit(scene, { type: 'connected', ...scene.line, route: directRoute })
    scene.station.clock.advance(29_999)
    expect(receiver(scene)?.phase).toBe('connecting')
    scene.station.clock.advance(1)
    expect(receiver(scene)?.error?.code).toBe('E_PEER_GONE')
    expect(scene.station.engine.all('disconnect-peer')).toMatchObject([{ peer }])
  })
})
