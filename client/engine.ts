/**
 * What the application needs from the native engine, and nothing else: the seam where the real
 * addon, a fake, or later an engine in another process fits. The words are those of
 * `native/index.d.ts`.
 */
import type { Engine, EngineEvent } from '#native'

export type { Engine, EngineCommand, EngineEvent, IceServers } from '#native'

/** The addon's exports, described in `native/index.d.ts`. */
export interface EngineModule {
  newWords(): string
  isJoinCode(code: string): boolean
  versions(): Readonly<Record<string, string>>
  createEngine(onEvents: (events: readonly EngineEvent[]) => void): Engine
}
