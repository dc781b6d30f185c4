/**
 * Keeps the computer awake while bytes move, by a system program that holds a request while it runs.
 * Does nothing if there is no such program. The window uses Electron instead.
 */
import { spawn } from 'node:child_process'
import type { Client } from '#client/client'
import { movesBytes } from '#shared/state/queries'
import { text } from '../text'

/** A program and its arguments, or nothing on a system without one. */
export type Holder = readonly [program: string, ...args: string[]] | null

/** The program that holds the request on a platform. It ends with its input, even if this process is killed. */
export function holderOf(platform: NodeJS.Platform, pid: number): Holder {
  switch (platform) {
    case 'linux': {
      const request = ['--what=idle:sleep', '--mode=block', '--who=thru', `--why=${text.awake.why}`]
      return ['systemd-inhibit', ...request, 'cat']
    }
    case 'darwin':
      return ['caffeinate', '-i', '-w', pid.toString()]
    default:
      return null
  }
}

/** Delay before a holder starts. No system sleeps sooner, and most transfers end sooner, so they start no program. */
const patienceMs = 2000

/** Starts a holder and returns the function that ends it. */
type Hold = (holder: Holder) => () => void

/** Holds the request while bytes move for longer than `patienceMs`, until the returned function is called. */
export function keepAwake(
  client: Pick<Client, 'snapshot' | 'subscribe'>,
  hold: Hold = holdBy,
): () => void {
  let release: (() => void) | null = null
  const look = (): void => {
    const { state } = client.snapshot()
    const isWanted = state.settings.general.keepAwake && movesBytes(state)
    if (isWanted) release ??= holdAfter(patienceMs, hold)
    else drop()
  }
  const drop = (): void => {
    release?.()
    release = null
  }
  const unsubscribe = client.subscribe(look)
  return () => {
    unsubscribe()
    drop()
  }
}

function holdAfter(ms: number, hold: Hold): () => void {
  let release = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    release = hold(holderOf(process.platform, process.pid))
  }, ms)
  timer.unref()
  return () => release()
}

const holdBy: Hold = (holder) => {
  if (holder === null) return () => undefined
  const [program, ...args] = holder
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  // The program is missing or the system refuses: the transfer continues without it.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  return () => {
    child.stdin.end()
    child.kill()
  }
}
