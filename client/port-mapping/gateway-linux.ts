/** The default gateway on Linux, from the kernel's routing table. */
import type { SystemView } from '#client/system-view'

/** A route that is up and leads through a gateway. */
const upByGateway = 0x3

/** The default route with the lowest metric. */
export async function defaultRouteOfLinux({ read }: SystemView): Promise<string | null> {
  const [, ...lines] = (await read('/proc/net/route')).split('\n')
  const routes = lines.flatMap((line) => {
    const [, destination, gateway = '', flags = '', , , metric = '', mask] = line.split('\t')
    const isDefault = destination === '00000000' && mask === '00000000'
    const isUsable = (Number.parseInt(flags, 16) & upByGateway) === upByGateway
    return isDefault && isUsable && /^[0-9A-F]{8}$/i.test(gateway)
      ? [{ gateway, metric: Number(metric) }]
      : []
  })
  const [best] = routes.sort((one, other) => one.metric - other.metric)
  if (best === undefined) return null
  // The kernel prints the number in this processor's byte order.
  return [...Buffer.from(best.gateway, 'hex').reverse()].join('.')
}
