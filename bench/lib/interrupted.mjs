// Kills a receive midway and resumes it.
import { host, receive } from './lab.mjs'

/**
 * Receives `path` into `out` at `rate`, kills the receiver once it has `bytes`, and resumes with another one. Returns
 * the seconds from its connection to the first new byte, and of preparing: from its acceptance until data flows.
 */
export async function goOnAfterKill(path, out, { bytes, rate }) {
  const { sender, code } = await host([path], ['--limit-up', rate])
  const killed = receive(code, out)
  await killed.line('progress', (line) => line.bytes >= bytes)
  await killed.stop('SIGKILL')
  const next = receive(code, out)
  const connected = await next.line('connected')
  const cpuBefore = next.cpuSeconds()
  const accepted = await next.line('accepted')
  const started = await next.line('started')
  const first = await next.line('progress', (line) => line.transferred > 0)
  const cpu = next.cpuSeconds() - cpuBefore
  await next.stop('SIGKILL')
  await sender.stop()
  return {
    firstByte: (first.atMs - connected.atMs) / 1000,
    preparing: (started.atMs - accepted.atMs) / 1000,
    cpu,
    resumed: started.resumedBytes,
  }
}
