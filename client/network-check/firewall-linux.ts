/** Firewalls on Linux: ufw and firewalld by the files they leave, nftables by the rules its service loads. */
import type { FindFirewalls, Firewall } from './find-firewalls'

const ufw: Firewall = { name: 'ufw', allow: 'sudo ufw allow 5353/udp' }
const firewalld: Firewall = { name: 'firewalld', allow: 'sudo firewall-cmd --add-service=mdns' }
const nftables: Firewall = {
  name: 'nftables',
  allow: 'accept established connections and UDP port 5353 in /etc/nftables.conf',
}

/** Reads rule files that may not be loaded; loading them is their purpose. */
export const firewallsOfLinux: FindFirewalls = async ({ read }) => {
  const [ufwConf, firewalldPid, nftConf] = await Promise.all([
    read('/etc/ufw/ufw.conf'),
    read('/run/firewalld.pid'),
    read('/etc/nftables.conf'),
  ])
  return [
    ...(/^ENABLED=yes\b/im.test(ufwConf) ? [ufw] : []),
    ...(/^\d+/.test(firewalldPid) ? [firewalld] : []),
    ...(/^[^#\n]*\b(?:drop|reject)\b/m.test(nftConf) ? [nftables] : []),
  ]
}
