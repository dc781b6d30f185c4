/** A receiver that follows a watched share. */
import { join } from 'node:path'
import type { ProgramOutput } from '../program-output'
import { codeOf, programRig } from '../program-rig'

/** Prepares the calling test file; its folders' names begin with `name`. */
export function followRig(name: string) {
  const { at, thru, start } = programRig(name)

  /** Separate accounts, so that tests don't see each other's transfers. */
  const account = (whose: string) => ({ env: { XDG_STATE_HOME: at(whose) } })

  const site = (...parts: readonly string[]): string => join(at('site'), ...parts)
  const copy = (...parts: readonly string[]): string => join(at('copy', 'site'), ...parts)

  const watch = (item = site(), ...options: readonly string[]) =>
    thru(['host', item, '--watch', '--json', ...options], account('sender'))

  const follow = (code: string, ...options: readonly string[]) =>
    thru(
      ['join', code, '--out', at('copy'), '--follow', '--yes', '--json', ...options],
      account('receiver'),
    )

  const resumeShare = () => thru(['host', '--resume', '--json'], account('sender'))
  const resumeReceive = () => start(['resume', '1', '--yes', '--json'], account('receiver'))

  /** A watched item, and a receiver that has it and follows with `options`. */
  async function following(options: readonly string[] = [], item = site()) {
    const sender = watch(item)
    const receiver = follow(await codeOf(sender), ...options)
    await receiver.line('in-step')
    return { sender, receiver }
  }

  /** Resolves when `isThere` after a change. */
  async function until(receiver: ProgramOutput, isThere: () => boolean): Promise<void> {
    for (let count = 1; !isThere(); count += 1) await receiver.lines('in-step', count)
  }

  return {
    ...{ at, thru, account, site, copy, watch, follow, resumeShare, resumeReceive },
    ...{ following, until },
  }
}
