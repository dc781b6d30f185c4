// TCP's congestion control in a network of its own: the kernel takes only what it has and allows there.
import { readFileSync } from 'node:fs'

const listed = (name) => {
  try {
    return readFileSync(`/proc/sys/net/ipv4/${name}`, 'utf8').trim().split(/\s+/)
  } catch {
    return []
  }
}

/** Those that the kernel has, and those that it lets networks of their own use. */
export const controlsOfKernel = () => ({
  available: listed('tcp_available_congestion_control'),
  allowed: listed('tcp_allowed_congestion_control'),
})

/** Why the kernel refuses `tcp` as the congestion control of a network of its own, and what helps. */
export function refusedControl(tcp, { available, allowed }) {
  if (!available.includes(tcp)) {
    return `The kernel has no TCP congestion control ${tcp}, only ${available.join(', ')}: "modprobe tcp_${tcp}" loads it where there is one.`
  }
  if (!allowed.includes(tcp)) {
    const all = [...allowed, tcp].join(' ')
    return `The kernel has ${tcp} and allows it in no network but its first: sysctl -w net.ipv4.tcp_allowed_congestion_control="${all}"`
  }
  return `The kernel doesn't take ${tcp} for net.ipv4.tcp_congestion_control.`
}
