import { useState } from 'react'
import { formatBytes, formatRate, formatRoundTrip, formatSmallPercent } from '#shared/format/format'
import type { Route } from '#shared/state/app-state'
import { type ConnectionStatistics, latenessOf, lossOf } from '#shared/state/connection-statistics'
import { noticeFailure } from '../../actions/actions'
import { say } from '../../announce'
import { bridge } from '../../bridge'
import { Button } from '../../components/button'
import { Collapsible } from '../../components/collapsible'
import { Facts } from '../../components/facts'
import { text } from '../../text'
import { limitedWords, type Side } from '../../view/connection-view'
import { routeWhy, routeWord } from '../../view/network-view'

type Props = {
  /** The share or receive. */
  readonly id: string
  /** `null` while there is no connection. */
  readonly route: Route | null
  /** `null` before data moved. */
  readonly statistics: ConnectionStatistics | null
  readonly side: Side
}

/** The route and its reason, the bottlenecks, and the log for a report. */
export function ConnectionDetails({ id, route, statistics, side }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    const reply = await bridge.copyLog({ id })
    noticeFailure(reply)
    setIsCopied(reply.ok)
    if (reply.ok) say(text.actions.copied)
  }
  return (
    <div className="connection">
      <Collapsible title={route === null ? text.connection.log : text.connection.title}>
        {route !== null && (
          <>
            <Facts facts={factsOf(route)} />
            <p className="about">{routeWhy(route)}</p>
            {statistics !== null && <Measured statistics={statistics} side={side} />}
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

function Measured({ statistics, side }: { statistics: ConnectionStatistics; side: Side }) {
  const limited = limitedWords(statistics, side)
  return (
    <>
      <Facts facts={figuresOf(statistics, side)} />
      {limited !== null && <p className="about">{limited}</p>}
    </>
  )
}

/** A receiver sends hardly anything, so its losses and data in flight are meaningless. */
const figuresOf = (statistics: ConnectionStatistics, side: Side) => [
  { name: text.connection.roundTrip, value: formatRoundTrip(statistics.rttMs) },
  ...(side === 'receiver'
    ? []
    : [
        { name: text.connection.lost, value: formatSmallPercent(lossOf(statistics)) },
        // Most paths have none.
        ...(latenessOf(statistics) === 0
          ? []
          : [{ name: text.connection.late, value: formatSmallPercent(latenessOf(statistics)) }]),
        ...(statistics.pacingRate === null
          ? []
          : [{ name: text.connection.pace, value: formatRate(statistics.pacingRate) }]),
        { name: text.connection.underWay, value: formatBytes(statistics.bytesInFlight) },
      ]),
  ...(statistics.compressionSaved === 0
    ? []
    : [
        {
          name: text.connection.compressionSaved,
          value: formatBytes(statistics.compressionSaved),
        },
      ]),
  {
    name: text.connection.datagrams,
    value: text.connection.datagramsOf(statistics.datagramBytes),
  },
]

const factsOf = (route: Route) => [
  { name: text.result.route, value: routeWord(route) },
  { name: text.connection.protocol, value: text.connection.protocolOf(route) },
  { name: text.connection.address, value: route.remote },
  ...(route.relay === '' ? [] : [{ name: text.connection.relay, value: route.relay }]),
  ...(route.buffers === undefined
    ? []
    : [{ name: text.connection.buffers, value: text.connection.buffersOf(route.buffers) }]),
]
