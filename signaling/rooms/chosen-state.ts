/** Opens the session state that a server program's settings choose. */
import { randomBytes } from 'node:crypto'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { ServerConfig } from '#signaling/config/server-config'
import { journalState } from '#signaling/rooms/journal-store'
import { inMemoryState, type StateFactory } from '#signaling/rooms/shared-state'

/** Error: `E_BAD_ARGUMENT` with the file that can't be used. */
export async function chosenState({
  redis,
  stateFile,
}: Pick<ServerConfig, 'redis' | 'stateFile'>): Promise<Result<StateFactory, AppError>> {
  if (stateFile !== '') return journalState(stateFile, randomBytes(32))
  if (redis === '') return ok(inMemoryState())
  // A large module, which few servers need.
  const { redisState } = await import('#signaling/redis/state')
  return ok(redisState(redis))
}
