import { Globe, Wifi } from 'lucide-react'
import { describeError } from '#shared/describe-error'
import { limitOf, type Reach } from '#shared/reach'
import { serverName } from '#shared/signaling/server-url'
import { text as shared } from '#shared/text/current'
import { openSettings } from '../actions/section-actions'
import { text } from '../text'
import { Button } from './button'
import { Icon } from './icon'

/** The reach of a code, its limit, and the way to extend it. */
export function ReachNote({ of: reach }: { readonly of: Reach }) {
  const { scope, server, error } = reach
  if (scope === 'anywhere') {
    return (
      <p className="reach">
        <Icon of={Globe} />
        <span>{server === null ? text.reach.met : text.reach.anywhere(serverName(server))}</span>
      </p>
    )
  }
  const { what, remedy } = error === null ? { what: '', remedy: '' } : describeError(error)
  const words = { ...shared.reach, noServer: text.reach.noServer }[limitOf(reach)][scope]
  return (
    <div className={server === null ? 'reach' : 'reach warning'} role="status">
      <Icon of={Wifi} />
      <p>
        {what !== '' && <strong>{what}</strong>} {words} {remedy}
      </p>
      <Button size="small" onClick={() => openSettings('network')}>
        {server === null ? text.reach.addServer : text.remedies['network-settings']}
      </Button>
    </div>
  )
}
