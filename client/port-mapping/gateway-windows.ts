/** The default gateway on Windows, from the output of `route`, whose columns are the same in every language. */
import type { SystemView } from '#client/system-view'
import { windowsProgram } from '#client/windows-program'

/** The default route with the lowest metric. */
export async function defaultRouteOfWindows({ run }: SystemView): Promise<string | null> {
  const said = await run(windowsProgram('route'), ['print', '-4', '0.0.0.0'])
  const routes = [
    ...said.matchAll(/^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+(\d[\d.]+)\s+\d[\d.]+\s+(\d+)\s*$/gm),
  ].map(([, gateway = '', metric]) => ({ gateway, metric: Number(metric) }))
  return routes.sort((one, other) => one.metric - other.metric)[0]?.gateway ?? null
}
