import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

/** An explanation in one picture and one sentence, until the first transfer. */
export function FirstTime() {
  const isFirstTime = useUiStore((ui) => ui.isFirstTime)
  if (!isFirstTime) return null
  return (
    <figure className="first-time">
      <svg viewBox="0 0 240 56" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
        <Computer x={8} />
        <Computer x={176} />
        <path className="way" d="M72 26h96" strokeDasharray="2 5" strokeLinecap="round" />
        <path className="file" d="M113 16h9l5 5v15h-14z M122 16v5h5" strokeLinejoin="round" />
      </svg>
      <figcaption>{text.home.firstTime}</figcaption>
    </figure>
  )
}

const Computer = ({ x }: { readonly x: number }) => (
  <g strokeLinejoin="round" strokeLinecap="round">
    <rect x={x + 8} y={8} width={40} height={28} rx={3} />
    <path d={`M${x.toString()} 44h56`} />
  </g>
)
