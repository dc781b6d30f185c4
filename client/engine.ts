/**
 * The application's view of the native engine: the seam for the real addon, a fake, or later an
 * engine in another process. The terms are those of `native/index.d.ts`.
 */
import type { ContactKey, Engine, EngineEvent } from '#native'

export type {
  AdmissionRecord,
  ContactKey,
  Engine,
  EngineCommand,
  EngineContact,
  EngineEvent,
  IceServers,
  NameQuestion,
  ReceiveSecret,
  RelayProxy,
  SavedPath,
  UdpPort,
} from '#native'

/** The addon's exports, described in `native/index.d.ts`. */
export interface EngineModule {
  newWords(): string
  isJoinCode(code: string): boolean
  versions(): Readonly<Record<string, string>>
  newContactKey(): ContactKey
  contactMailbox(key: string, publicKey: string): string
  sealInvitation(key: string, recipient: string, text: string): string
  openInvitation(key: string, recipient: string, sealed: string): string | null
  endProcessWithin(milliseconds: number, exitCode: number): void
  socketBuffers(wanted: number): { readonly receive: number; readonly send: number }
  probePath(address: string, port: number, sizes: readonly number[]): Promise<number>
  createEngine(onEvents: (events: readonly EngineEvent[]) => void): Engine
}
