/** An address to listen on; `host` is a name or a literal address without brackets. */
export type HostPort = { readonly host: string; readonly port: number }

const form = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):([0-9]{1,5})$/i

/** Reads `host:port` and `[address]:port`; 0 lets the system choose a port. `null` for anything else. */
export function parseHostPort(text: string): HostPort | null {
  const match = text.length > 260 ? null : form.exec(text)
  const port = Number(match?.[3])
  return match === null || port > 65_535 ? null : { host: match[1] ?? match[2] ?? '', port }
}
