/** The limits for browsers that receive through the server, as its welcome tells them. */
import { readFileSync } from 'node:fs'
import type { WebLimits } from '#shared/signaling/messages'
import type { ServerConfig } from '#signaling/config/server-config'

const linuxSetting = '/proc/sys/net/ipv4/tcp_congestion_control'

/** The congestion control of this computer's TCP; undefined on systems other than Linux. */
function congestionControl(): string | undefined {
  try {
    return readFileSync(linuxSetting, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Returns undefined for a server without a page. On the local network they are too high to matter. */
export const webLimits = ({
  web,
  webBytes,
  webBytesPerSec,
}: ServerConfig): WebLimits | undefined =>
  web === ''
    ? undefined
    : { bytes: webBytes, bytesPerSec: webBytesPerSec, congestion: congestionControl() }
