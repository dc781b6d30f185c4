import { assertNever } from '#shared/assert-never'
import type { Route } from '#shared/state/app-state'
import { routeWhy, routeWord } from '../view/network-view'
import { Tooltip } from './tooltip'

/** The route as a drawing with its name. Focusable, because only its tooltip explains it. */
export const RouteBadge = ({ route }: { readonly route: Route }) => (
  <Tooltip words={routeWhy(route)}>
    <span className={`route ${route.kind}`} tabIndex={0}>
      <svg viewBox="0 0 22 12" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden>
        <PathDrawing kind={route.kind} />
      </svg>
      {routeWord(route)}
    </span>
  </Tooltip>
)

/** Two computers and a line; a roof above them in a local network; a raised third for a relay. */
function PathDrawing({ kind }: { readonly kind: Route['kind'] }) {
  switch (kind) {
    case 'local':
      return (
        <>
          <path d="M2 4.5 11 1l9 3.5M6 9h10" strokeLinecap="round" strokeLinejoin="round" />
          <Dot x={4} y={9} />
          <Dot x={18} y={9} />
        </>
      )
    case 'direct':
      return (
        <>
          <path d="M4 6h14" />
          <Dot x={3} y={6} />
          <Dot x={19} y={6} />
        </>
      )
    case 'relay':
      return (
        <>
          <path d="M3 9 11 3l8 6" strokeLinejoin="round" />
          <Dot x={3} y={9} />
          <Dot x={19} y={9} />
          <Dot x={11} y={3} />
        </>
      )
    default:
      return assertNever(kind)
  }
}

const Dot = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <circle cx={x} cy={y} r="2.2" fill="currentColor" stroke="none" />
)
