import { describe, expect, it } from 'vitest'
import { folderOfFile } from '#client/testing/temporary-folder'
import { waitForState } from '#client/wait-for-state'
import { encode } from '#shared/signaling/messages'
import type { ReceiveId, ReceivePhase } from '#shared/state/app-state'
import { allNew } from '#shared/testing/figures'
import { bareServer } from '../../bare-server.ts'
import { failed, folderOffered, met, scanned } from '../../engine-events'
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

const folder = folderOfFile()

const outcome = {
  files: 2,
  bytes: 10,
  problems: 0,
  renamed: 0,
  transferred: 10,
  ...allNew,
  readBack: false,
}

const receiveOf = ({ station }: Scene) => station.client.snapshot().state.receives[0]

const introduced = async (scene: Scene): Promise<void> => {
  scene.socket.send(encode({ t: 'joined', peer: '0123456789abcdef' }))
  await waitForState(scene.station.client, ({ receives }) =>
    receives[0]?.phase === 'connecting' ? true : null,
  )
}

const connected = async (scene: Scene): Promise<void> => {
  await introduced(scene)
  emit(scene, ...met(scene.line))
}

const asked = async (scene: Scene): Promise<void> => {
  await connected(scene)
  emit(scene, { type: 'approval-requested', ...scene.line })
}

const offered = async (scene: Scene): Promise<void> => {
  await connected(scene)
  emit(scene, folderOffered(scene.line))
}

const accepted = async (scene: Scene): Promise<void> => {
  await offered(scene)
  const receive = receiveOf(scene)?.id ?? ('' as ReceiveId)
  expect(scene.station.client.receives.get(receive)?.accept({ directory: folder }).ok).toBe(true)
}

const { flows, ends } = stepsAfter(accepted)

/** A connected receive no longer needs the server, but its loss is shown. */
const running = { 'network cut': idle, 'peer silent': 'person', 'server gone': 'loss' } as const

const rows: Readonly<Record<ReceivePhase, Row>> = {
  'looking-up': {
    reach: () => undefined,
    'network cut': { timerMs: 10_000 },
    'peer silent': { timerMs: 10_000 },
    'server gone': 'loss',
  },
  connecting: {
    reach: introduced,
    'network cut': { timerMs: 10_000 },
    'peer silent': { timerMs: 10_000 },
    'server gone': 'loss',
  },
  approving: { reach: asked, ...running, 'peer silent': { timerMs: 11 * 60_000 } },
  listing: { reach: connected, ...running, 'peer silent': { timerMs: 10_000 } },
  offered: { reach: offered, ...running },
  preparing: { reach: accepted, ...running, 'peer silent': stalled('own-disk') },
  receiving: {
    reach: flows({ kind: 'flowing' }),
    ...{ ...running, 'peer silent': stalled('network') },
  },
  finishing: {
    reach: flows({ kind: 'finishing' }),
    ...{ ...running, 'peer silent': { timerMs: 10_000 } },
  },
  paused: { reach: flows({ kind: 'paused' }), ...running },
  'paused-by-peer': { reach: flows({ kind: 'paused-by-peer' }), ...running },
  'disk-full': { reach: flows({ kind: 'disk-full', need: 1 }), ...running },
  'peer-disk-full': { reach: flows({ kind: 'peer-disk-full', need: 1 }), ...running },
  reconnecting: {
    reach: ends('E_PEER_GONE'),
    'network cut': { timerMs: 11_000 },
    'peer silent': { timerMs: 11_000 },
    'server gone': { timerMs: 11_000 },
  },
  'in-step': {
    reach: async (scene) => {
      await flows({ kind: 'finishing' })(scene)
      emit(scene, { type: 'finished', ...scene.line, ...outcome, inStep: true })
    },
    ...running,
  },
  interrupted: {
    // Its sender is missing for ten minutes.
    reach: async (scene) => {
      const { clock, engine } = scene.station
      await ends('E_PEER_GONE')(scene)
      for (let count = 2; receiveOf(scene)?.phase === 'reconnecting'; count += 1) {
        clock.advance(30_000)
        const { session, peer } = await engine.nth('open-receive', count)
        emit(scene, failed({ session, peer }, 'E_PEER_GONE'))
      }
    },
    ...over,
  },
  done: {
    reach: async (scene) => {
      await flows({ kind: 'finishing' })(scene)
      emit(scene, { type: 'finished', ...scene.line, ...outcome })
    },
    ...over,
  },
  failed: { reach: ends('E_STOPPED'), ...over },
}

/** A receive whose code was just entered. */
async function entered(): Promise<Scene> {
  const server = await bareServer()
  const station = stationAt(server)
  expect(station.client.join('4821-apple-river-stone').ok).toBe(true)
  const { session, peer } = await station.engine.nth('open-receive')
  const socket = await server.sockets.next()
  await server.texts.next()
  return { station, server, socket, line: { session, peer } }
}

describe.each(Object.entries(rows))('a receive that is %s', (phase, row) => {
  it.each(faults)('leads to a visible event with the %s', async (fault) => {
    const scene = await entered()
    await row.reach(scene)
    expect(receiveOf(scene)?.phase).toBe(phase)
    await walk(scene, fault, row[fault], () => {
      scene.station.client.receives.get(receiveOf(scene)?.id ?? ('' as ReceiveId))?.cancel()
    })
  })
})

describe('a sender that is connected and says nothing', () => {
  it('is reported after 10 s, and given up after 5 min', async () => {
    const scene = await entered()
    await connected(scene)
    scene.station.clock.advance(9999)
    expect(receiveOf(scene)?.stall).toBe('none')
    scene.station.clock.advance(1)
    expect(receiveOf(scene)).toMatchObject({ phase: 'listing', stall: 'peer' })
    scene.station.clock.advance(290_000)
    expect(receiveOf(scene)).toMatchObject({ phase: 'failed', error: { code: 'E_PEER_GONE' } })
    expect(scene.station.engine.all('end-session')).toHaveLength(1)
  })

  it('is given more time while its person is asked, without a report', async () => {
    const scene = await entered()
    await asked(scene)
    scene.station.clock.advance(10 * 60_000)
    expect(receiveOf(scene)).toMatchObject({ phase: 'approving', stall: 'none' })
    emit(scene, folderOffered(scene.line))
    expect(receiveOf(scene)).toMatchObject({ phase: 'offered' })
  })

  it('is not given up while its list grows', async () => {
    const scene = await entered()
    await connected(scene)
    const { session } = scene.line
    for (let files = 1; files <= 4; files += 1) {
      scene.station.clock.advance(240_000)
      expect(receiveOf(scene)).toMatchObject({ phase: 'listing', stall: 'peer' })
      emit(scene, scanned(session, { files, bytes: 0, complete: false }))
      expect(receiveOf(scene)).toMatchObject({ stall: 'none', totals: { files } })
    }
  })
})
