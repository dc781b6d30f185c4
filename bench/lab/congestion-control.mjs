// TCP's congestion control in a network namespace: the kernel accepts only algorithms it has and allows there.
import { readFileSync } from 'node:fs'

const listed = (name) => {
  try {
    return readFileSync(`/proc/sys/net/ipv4/${name}`, 'utf8').trim().split(/\s+/)
  } catch {
    return []
  }
}

/** Algorithms that the kernel has, and algorithms that it allows in other network namespaces. */
export const controlsOfKernel = () => ({
  available: listed('tcp_available_congestion_control'),
  allowed: listed('tcp_allowed_congestion_control'),
})

/** Explains why the kernel refuses `tcp` in a network namespace, and what to do. */
export function refusedControl(tcp, { available, allowed }) {
  if (!available.includes(tcp)) {
    return `The kernel has no TCP congestion control ${tcp}, only ${available.join(', ')}. If there is a module, "modprobe tcp_${tcp}" loads it.`
  }
  if (!allowed.includes(tcp)) {
    const all = [...allowed, tcp].join(' ')
    return `The kernel allows ${tcp} only in its initial network namespace. To allow it everywhere: sysctl -w net.ipv4.tcp_allowed_congestion_control="${all}"`
  }
  return `The kernel doesn't accept ${tcp} for net.ipv4.tcp_congestion_control.`
}
