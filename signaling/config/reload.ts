/** Limits that change while a server runs. */
import { readInvocation } from '#signaling/config/invocation'
import type { Log } from '#signaling/log'
import type { SignalingServer } from '#signaling/server'

/**
 * Reads all settings again and applies the changes to the server, or none of them if anything is wrong.
 * Logs the outcome in one line.
 */
export function reloadLimits(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  server: SignalingServer,
  log: Log,
): void {
  const read = readInvocation(args, env)
  const changed = read.ok ? server.reload(read.value.config) : read
  if (changed.ok) log({ event: 'reloaded', settings: changed.value })
  else log({ event: 'reload-refused', why: changed.error.detail })
}
