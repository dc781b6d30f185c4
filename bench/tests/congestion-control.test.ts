import { expect, it } from 'vitest'
import { refusedControl } from '../lab/congestion-control.mjs'

it('says that the kernel lacks a congestion control, and what loads it', () => {
  expect(refusedControl('bbr', { available: ['reno', 'cubic'], allowed: ['reno', 'cubic'] })).toBe(
    'The kernel has no TCP congestion control bbr, only reno, cubic. If there is a module, "modprobe tcp_bbr" loads it.',
  )
})

it("says that network namespaces can't use one, and what allows it", () => {
  expect(refusedControl('cubic', { available: ['reno', 'cubic'], allowed: ['reno'] })).toBe(
    'The kernel allows cubic only in its initial network namespace. To allow it everywhere: sysctl -w net.ipv4.tcp_allowed_congestion_control="reno cubic"',
  )
})

it('gives no cause when it knows none', () => {
  const all = ['reno', 'cubic']
  expect(refusedControl('cubic', { available: all, allowed: all })).toContain(
    "doesn't accept cubic",
  )
})
