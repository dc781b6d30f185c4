/** Engine events that many tests use. */
import type { EngineEvent } from '#client/engine'
import { noConflicts, pairingDone } from '#client/testing/fake-engine'
import type { ErrorCode } from '#shared/errors'
import { directRoute, type Station } from './rig'

/** A session and a peer of an engine. */
export type Line = { readonly session: number; readonly peer: string }

/** The peer has connected and introduced itself. */
export const greeted = (
  { session, peer }: Line,
  name = 'Mina',
  id = 'f'.repeat(32),
): readonly EngineEvent[] => [
  { type: 'connected', session, peer, route: directRoute },
  { type: 'greeted', session, peer, name, id, browser: false },
]

/** The peer has proved itself, connected and introduced itself. */
export const met = (line: Line, name?: string, id?: string): readonly EngineEvent[] => [
  pairingDone(line.session, line.peer),
  ...greeted(line, name, id),
]

/** A scan has found one file and has ended, or this. */
export const scanned = (
  session: number,
  found: { files?: number; bytes?: number; complete?: boolean; leftOut?: number } = {},
) =>
  ({
    ...{ type: 'scan', session, files: 1, folders: 0, bytes: 1 },
    ...{ complete: true, excluded: 0, leftOut: 0, ...found },
  }) as const satisfies EngineEvent

export const folderOffered = ({ session, peer }: Line): EngineEvent => ({
  ...{ type: 'offer', session, peer },
  items: [{ id: 0, name: 'photos', kind: 'folder', files: 2, bytes: 10 }],
  ...{ files: 2, folders: 1, bytes: 10, dotNames: false, leftOut: [] },
})

/** The receiver accepts and has no data yet. */
export const accepted = ({ session, peer }: Line): EngineEvent => ({
  ...{ type: 'accepted', session, peer },
  ...{ resumedBytes: 0, conflicts: noConflicts, mappedCount: 0, mappedNames: [] },
})

export const failed = ({ session, peer }: Line, code: ErrorCode, detail = ''): EngineEvent => ({
  ...{ type: 'failed', session, peer },
  error: { code, detail },
})

/** The sender greets a receiver and offers it one folder. */
export function offerTo({ engine }: Station, line: Line): void {
  engine.emit(...met(line), folderOffered(line))
}

export function fail({ engine }: Station, line: Line, code: ErrorCode, detail = ''): void {
  engine.emit(failed(line, code, detail))
}
