import { Check, Minus } from 'lucide-react'

type State = boolean | 'mixed'

/** The box alone, for an element that can be ticked as a whole. */
export const TickBox = ({ state }: { readonly state: State }) => (
  <span className={state === false ? 'tick-box' : 'tick-box on'} aria-hidden>
    {state === 'mixed' && <Minus size={12} strokeWidth={3} />}
    {state === true && <Check size={12} strokeWidth={3} />}
  </span>
)

type Props = {
  readonly state: State
  readonly onToggle: () => void
  readonly children: string
}

/** A tick box with a label. */
export const Tick = ({ state, onToggle, children }: Props) => (
  <button type="button" className="tick" role="checkbox" aria-checked={state} onClick={onToggle}>
    <TickBox state={state} />
    {children}
  </button>
)
