/** A watched folder, `site`, and a receiver that follows it. */
import { join } from 'node:path'
import { codeOf, programRig } from '../program-rig'

/** Prepares the calling test file; its folders' names begin with `name`. */
export function followRig(name: string) {
  const rig = programRig(name)
  const { at, thru, account } = rig
  const site = (...parts: readonly string[]): string => join(at('site'), ...parts)
  const copy = (...parts: readonly string[]): string => join(at('copy', 'site'), ...parts)

  /** Starts both programs, with more options; resolves when the receiver has everything. */
  async function following(
    item: string,
    { sending = [], receiving = [] }: { sending?: string[]; receiving?: string[] } = {},
  ) {
    const sender = thru(['host', item, '--watch', '--json', ...sending], account('sender'))
    const joining = ['join', await codeOf(sender), '--out', at('copy'), '--follow', '--yes']
    const follow = () => thru([...joining, '--json', ...receiving], account('receiver'))
    const receiver = follow()
    await receiver.line('in-step')
    return { sender, receiver, follow }
  }
  return { ...rig, site, copy, following }
}
