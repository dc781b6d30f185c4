import { useUiStore } from '../store/ui-store'

/** The only live region, a polite one, with the latest sentence. Repeated words are announced again. */
export function Announcer() {
  const { words, nth } = useUiStore((ui) => ui.said)
  return (
    <p className="sr-only" role="status">
      <span key={nth}>{words}</span>
    </p>
  )
}
