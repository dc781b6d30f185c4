import { useState } from 'react'
import type { Route } from '#shared/app-state'
import { noticeFailure } from '../../actions'
import { say } from '../../announce'
import { bridge } from '../../bridge'
import { Button } from '../../components/button'
import { Collapsible } from '../../components/collapsible'
import { Facts } from '../../components/facts'
import { text } from '../../text'
import { routeWhy, routeWord } from '../../view/network-view'

type Props = {
  /** The share or receive. */
  readonly id: string
  /** `null` while there is no connection. */
  readonly route: Route | null
}

/** How the two are connected and why, and the log for a report. */
export function ConnectionDetails({ id, route }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    const reply = await bridge.copyLog({ id })
    noticeFailure(reply)
    setIsCopied(reply.ok)
    if (reply.ok) say(text.actions.copied)
  }
  return (
    <div className="connection">
      <Collapsible title={text.connection.title}>
        {route !== null && (
          <>
            <Facts facts={factsOf(route)} />
            <p className="about">{routeWhy(route)}</p>
          </>
        )}
        <div className="connection-log">
          <p className="about grow">{text.connection.logAbout}</p>
          <Button size="small" onClick={() => void copy()}>
            {isCopied ? text.actions.copied : text.connection.copyLog}
          </Button>
        </div>
      </Collapsible>
    </div>
  )
}

const factsOf = (route: Route) => [
  { name: text.result.route, value: routeWord(route) },
  { name: text.connection.protocol, value: text.connection.protocolOf(route) },
  { name: text.connection.address, value: route.remote },
  ...(route.relay === '' ? [] : [{ name: text.connection.relay, value: route.relay }]),
  ...(route.buffers === undefined
    ? []
    : [{ name: text.connection.buffers, value: text.connection.buffersOf(route.buffers) }]),
]
