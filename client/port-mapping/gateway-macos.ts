/** The default gateway on macOS, from the output of `route`. */
import type { SystemView } from '#client/system-view'

export async function defaultRouteOfMacos({ run }: SystemView): Promise<string | null> {
  const said = await run('/sbin/route', ['-n', 'get', 'default'])
  return /^\s*gateway: (\S+)$/m.exec(said)?.[1] ?? null
}
