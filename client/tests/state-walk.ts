/** Tests how each state of a transfer ends when it stops receiving messages. */
import { expect, onTestFinished } from 'vitest'
import type { EngineEvent } from '#client/engine'
import type { ErrorCode } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { FlowState } from '#shared/state/app-state'
import type { bareServer } from './bare-server.ts'
import { accepted, failed, type Line } from './engine-events'
import { Rig, type Station } from './rig'

/** A station in one state, with its server. */
export type Scene = {
  readonly station: Station
  readonly server: Awaited<ReturnType<typeof bareServer>>
  /** The server's end of the current socket. */
  readonly socket: Awaited<ReturnType<Awaited<ReturnType<typeof bareServer>>['sockets']['next']>>
  readonly line: Line
}

/** The expected outcome, and its latest time. */
export type Ending =
  /** A timer of the client's own clock. */
  | { readonly timerMs: number }
  /** An engine event by the engine's clock, see `native/tests/engine/silent_peer_test.cc`. */
  | { readonly engineMs: number; readonly event: (line: Line) => EngineEvent }
  /** The loss itself is reported, without a delay. */
  | 'loss'
  /** The state waits for the decision of a person, who can end it. */
  | 'person'
  /** Nothing follows. */
  | 'over'

export const faults = ['network cut', 'peer silent', 'server gone'] as const

/** One state: the steps that lead to it from a fresh scene, and its endings. */
export type Row = { readonly reach: (scene: Scene) => void | Promise<void> } & {
  readonly [fault in (typeof faults)[number]]: Ending
}

/** Nothing follows, whatever fails. */
export const over = { 'network cut': 'over', 'peer silent': 'over', 'server gone': 'over' } as const

/** QUIC's idle timeout ends a connection without packets (`kIdleTimeout`). */
export const idle: Ending = { engineMs: 120_000, event: (line) => failed(line, 'E_PEER_GONE') }

export const stalled = (reason: 'network' | 'own-disk'): Ending => ({
  engineMs: 3000,
  event: (line) => ({ type: 'stalled', ...line, reason }),
})

export const emit = ({ station }: Scene, ...events: readonly EngineEvent[]): void =>
  station.engine.emit(...events)

/** A client of this server, which is closed after the test. */
export function stationAt(server: Scene['server']): Station {
  const rig = new Rig()
  const station = rig.station({ serverUrl: server.url })
  onTestFinished(async () => {
    const closed = station.client.close()
    station.clock.advance(60_000)
    await closed
    await rig.end()
  })
  return station
}

/** Steps to a transfer in a state, and to one that failed, once `begin` has led to an offer that is accepted. */
export function stepsAfter(begin: (scene: Scene) => Promise<void>) {
  const flows = (state: FlowState) => async (scene: Scene) => {
    await begin(scene)
    emit(scene, accepted(scene.line))
    if (state.kind !== 'flowing') emit(scene, { type: 'flow', ...scene.line, state })
  }
  const ends = (code: ErrorCode) => async (scene: Scene) => {
    await flows({ kind: 'flowing' })(scene)
    emit(scene, failed(scene.line, code))
  }
  return { flows, ends }
}

const apply = ({ server, socket }: Scene, fault: (typeof faults)[number]): void => {
  if (fault === 'network cut') socket.pause()
  if (fault === 'server gone') server.stop()
}

/** Causes `fault`, advances the clock as far as `ending` allows, and expects a visible event. */
export async function walk(
  scene: Scene,
  fault: (typeof faults)[number],
  ending: Ending,
  end: () => void,
): Promise<void> {
  const { client, clock, engine } = scene.station
  const events: AppEvent[] = []
  let wake: () => void = () => undefined
  const came = new Promise<void>((resolve) => (wake = resolve))
  // Earlier events are reported in a separate batch.
  await Promise.resolve()
  client.subscribe((batch) => {
    events.push(...batch.map(({ event }) => event))
    wake()
  })
  apply(scene, fault)
  if (ending === 'over') {
    clock.advance(3_600_000)
    await Promise.resolve()
    const ofTransfer = /^(?:receive|receiver|share)-(?!contact-request-changed)/
    expect(events.filter(({ type }) => ofTransfer.test(type))).toEqual([])
    return
  }
  if (ending === 'person') end()
  else if (ending !== 'loss' && 'timerMs' in ending) clock.advance(ending.timerMs)
  else if (ending !== 'loss') {
    clock.after(ending.engineMs, () => engine.emit(ending.event(scene.line)))
    clock.advance(ending.engineMs)
  }
  await came
  expect(events).not.toEqual([])
}
